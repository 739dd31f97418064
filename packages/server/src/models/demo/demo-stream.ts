import type { ModelPart, ModelRequest } from '../../ports/model.ts';

/** What every scripted model is. Throws the signal's reason once it is aborted. */
export type DemoStream = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelPart>;
