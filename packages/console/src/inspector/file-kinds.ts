type Kind = { readonly name: string; readonly mediaType: string | undefined; readonly size?: number | undefined };

const texts = /^(text\/|application\/(json|xml|yaml|x-yaml|toml|javascript|sql|x-ndjson))/;
const textNames = /\.(txt|md|csv|json|xml|ya?ml|toml|log|ts|tsx|js|py|go|rs|sh|sql|html|css)$/i;
/** Drawn by the browser without running anything. SVG is none of them: it may hold programs. */
const images = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;

/** More is no preview. */
const largest = 8 * 1024 * 1024;

const bare = (mediaType = ''): string => mediaType.split(';')[0]?.trim().toLowerCase() ?? '';

export const isImage = ({ mediaType }: Pick<Kind, 'mediaType'>): boolean => images.test(bare(mediaType));
const isText = ({ mediaType, name }: Kind): boolean => texts.test(bare(mediaType)) || (bare(mediaType) === 'application/octet-stream' && textNames.test(name));
export const isShowable = (kind: Kind): boolean => (kind.size ?? 0) <= largest && (isImage(kind) || isText(kind));
