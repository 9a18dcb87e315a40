/** Path below `dist` to text. */
export declare function bundleHook(): Promise<Map<string, string>>;
