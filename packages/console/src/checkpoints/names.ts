/** Names that people gave to checkpoints: in the session's metadata, so that everybody who reads the session sees them. */
import type { SessionResource } from '@turnkeeper/core/protocol/wire/sessions';

type Metadata = SessionResource['metadata'];
export type CheckpointNames = { readonly [checkpointId: string]: string };

const member = 'checkpoint_names';

export const namesIn = (metadata: Metadata): CheckpointNames => {
  const found = metadata[member];
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return {};
  return Object.fromEntries(Object.entries(found).flatMap(([id, name]) => (typeof name === 'string' && name !== '' ? [[id, name]] : [])));
};

/** The metadata with this name; an empty one takes it away. */
export const withName = (metadata: Metadata, checkpointId: string, name: string): Metadata => {
  const { [checkpointId]: _, ...others } = namesIn(metadata);
  const names = name.trim() === '' ? others : { ...others, [checkpointId]: name.trim() };
  const { [member]: __, ...rest } = metadata;
  return Object.keys(names).length === 0 ? rest : { ...rest, [member]: names };
};
