import type { Capture, ExtensionValue, JsonObject, Severity } from '@aepkit/envelope';
import type { PayloadOf, PayloadType } from '@aepkit/taxonomy';

/** A type outside the registry: `x.{vendor}.{category}.{rest}` (AEP-0001 §6). */
export type VendorType = `x.${string}.${string}.${string}`;

/** Types about the agent as such. */
export type AgentType = Extract<PayloadType, `agent.${string}`>;

/** Types that the owner of a session emits: all but those of the agent, the commands, and what routers say (AEP-0001 §5.2). */
export type SessionType = Exclude<
  PayloadType,
  AgentType | 'attention.routed' | 'control.attention.respond' | 'control.cancel' | 'control.pause' | 'control.resume'
>;

/** What every Event may have besides its payload. */
export interface EmissionAttributes {
  /** What was acted upon: an identifier, never content. For the later Events of a request: its id. */
  readonly subject?: string;
  readonly run?: string;
  readonly step?: string;
  /**
   * Id of the Event that led to this one. Where it is absent, the end of a run, step, tool call or request gets the Event that
   * began it.
   */
  readonly cause?: string;
  /** Default `notice` for the request, end and answer of `attention.*`; else absent, which is read as `info`. */
  readonly severity?: Severity;
  /** A ceiling for this Event; that of the emitter holds as well. */
  readonly capture?: Capture;
  readonly traceparent?: string;
  /** RFC 3339, or a moment. Default: now. */
  readonly time?: string | Date;
  /** Extension attributes (AEP-0001 §5.4); one that cannot stand in an Event is refused together with the Event. */
  readonly extensions?: Readonly<Record<string, ExtensionValue>>;
  /** Members of a vendor for `data`, at `metadata`: structure, never content (AEP-0002 §5.1). */
  readonly members?: JsonObject;
  /** This fact arrives after `session.ended`, and rightly so: a tool that ran on, an ack. */
  readonly late?: boolean;
}

/** `data` of a type: required where it has required members. */
export type EmissionData<Type extends PayloadType | VendorType> = Type extends PayloadType
  ? object extends PayloadOf<Type>
    ? { readonly data?: PayloadOf<Type> }
    : JsonObject extends PayloadOf<Type>
      ? { readonly data?: PayloadOf<Type> }
      : { readonly data: PayloadOf<Type> }
  : { readonly data?: JsonObject };

/** What a type cannot do without. */
export type EmissionNeeds<Type extends string> = (Type extends `run.${string}` ? { readonly run: string } : unknown) &
  (Type extends `run.step.${string}` ? { readonly step: string } : unknown) &
  (Type extends 'attention.answered' | 'attention.resolved' | 'attention.timeout' ? { readonly subject: string } : unknown) &
  (Type extends 'control.accepted' | 'control.rejected' ? { readonly cause: string } : unknown);

/** What `emit` takes besides the type. */
export type Emission<Type extends PayloadType | VendorType> = EmissionAttributes & EmissionData<Type> & EmissionNeeds<Type>;

/** The same as arguments: none is needed where nothing is required. */
export type EmissionArguments<Type extends PayloadType | VendorType> = object extends Emission<Type>
  ? [emission?: Emission<Type>]
  : [emission: Emission<Type>];

/** Attributes of an Event about an agent, which has no session, run or step. */
export type AgentEmissionArguments<Type extends AgentType> = object extends EmissionData<Type>
  ? [emission?: Omit<EmissionAttributes, 'run' | 'step' | 'late'> & EmissionData<Type>]
  : [emission: Omit<EmissionAttributes, 'run' | 'step' | 'late'> & EmissionData<Type>];
