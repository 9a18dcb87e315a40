import { config } from '@aepkit/eslint-config';

export default config(import.meta.dirname);
