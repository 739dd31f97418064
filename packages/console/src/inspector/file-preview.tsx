import { useCallback } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { LoadState } from '../ui/load-state.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { isImage } from './file-kinds.ts';

/** More of a text makes the page heavy for little. */
const mostCharacters = 20_000;

/** As a `data:` address: the page may load pictures from nowhere else. */
const dataUrl = (bytes: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(bytes);
  });

type FilePreviewProps = { readonly sessionId: string; readonly fileId: string; readonly name: string; readonly mediaType: string };

export const FilePreview = ({ sessionId, fileId, name, mediaType }: FilePreviewProps) => {
  const { files } = useClient();
  const image = isImage({ mediaType });
  const loaded = useLoaded(
    useCallback(async () => {
      const answer = await files.download(sessionId, fileId);
      if (!image) return (await answer.text()).slice(0, mostCharacters);
      return dataUrl(new Blob([await answer.arrayBuffer()], { type: mediaType }));
    }, [files, sessionId, fileId, image, mediaType]),
  );
  return (
    <div className="border-t border-line p-3" data-preview={fileId}>
      <LoadState loaded={loaded} />
      {loaded.data === undefined ? null : image ? (
        <img src={loaded.data} alt={name} className="max-h-80 max-w-full rounded-lg" />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach that
        <pre tabIndex={0} className="max-h-80 overflow-auto font-mono text-[12.5px] leading-relaxed break-words whitespace-pre-wrap">
          {loaded.data}
        </pre>
      )}
    </div>
  );
};
