import type { FileResource } from '@turnkeeper/core/protocol/wire/files';
import type { ArtifactBody } from '@turnkeeper/core/view/artifact';
import { Download, ExternalLink, Eye, EyeOff, FileText } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useClient } from '../auth/signed-in-context.ts';
import { formatBytes } from '../i18n/format.ts';
import { useLocale } from '../i18n/use-locale.ts';
import { useText } from '../i18n/use-text.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { LoadState } from '../ui/load-state.tsx';
import { Panel } from '../ui/panel.tsx';
import { saveAs } from '../ui/save-as.ts';
import { useAct } from '../ui/use-act.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { isShowable } from './file-kinds.ts';
import { FilePreview } from './file-preview.tsx';
import type { InspectorProps } from './inspector.tsx';

type Listed = {
  readonly id: string;
  readonly name: string;
  readonly mediaType: string | undefined;
  readonly size: number | undefined;
  readonly fileId: string | undefined;
  readonly uri: string | undefined;
};

const artifactListed = (artifact: ArtifactBody): Listed => ({
  id: artifact.artifact_id,
  name: artifact.name,
  mediaType: artifact.media_type,
  size: artifact.size,
  fileId: artifact.file_id,
  uri: artifact.uri,
});
const fileListed = ({ id, name, media_type: mediaType, size }: FileResource): Listed => ({ id, name, mediaType, size, fileId: id, uri: undefined });

type FileRowProps = { readonly sessionId: string; readonly file: Listed };

const FileButtons = ({ sessionId, file, open, onOpen }: FileRowProps & { readonly open: boolean; readonly onOpen: () => void }) => {
  const t = useText();
  const { files } = useClient();
  const { act, busy } = useAct();
  const { fileId, name, uri } = file;
  if (uri !== undefined) {
    return (
      <a
        href={uri}
        target="_blank"
        rel="noopener noreferrer nofollow"
        aria-label={t('elsewhere', { name })}
        title={uri}
        className="grid size-9 place-items-center rounded-xl text-ink-soft hover:bg-sunken hover:text-ink"
      >
        <ExternalLink aria-hidden className="size-4" />
      </a>
    );
  }
  if (fileId === undefined) return null;
  const download = async (): Promise<void> => saveAs(await (await files.download(sessionId, fileId)).blob(), name);
  return (
    <>
      {isShowable(file) ? (
        <IconButton label={open ? t('closePreview') : t('previewOf', { name })} aria-expanded={open} onClick={onOpen}>
          {open ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
        </IconButton>
      ) : null}
      <IconButton label={t('download', { name })} disabled={busy} onClick={() => void act(download)}>
        <Download aria-hidden className="size-4" />
      </IconButton>
    </>
  );
};

const FileRow = ({ sessionId, file }: FileRowProps) => {
  const locale = useLocale();
  const [open, setOpen] = useState(false);
  const facts = [file.mediaType, ...(file.size === undefined ? [] : [formatBytes(file.size, locale)])].filter((fact) => fact !== undefined);
  return (
    <li className="flex flex-col" data-file={file.id}>
      <div className="flex items-center gap-1 py-1 pr-1 pl-3">
        <FileText aria-hidden className="mr-2 size-4 shrink-0 text-ink-faint" />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm" title={file.name}>
            {file.name}
          </span>
          <span className="block truncate text-xs text-ink-faint tabular-nums">{facts.join(' · ')}</span>
        </span>
        <FileButtons sessionId={sessionId} file={file} open={open} onOpen={() => setOpen(!open)} />
      </div>
      {open && file.fileId !== undefined ? <FilePreview sessionId={sessionId} fileId={file.fileId} name={file.name} mediaType={file.mediaType ?? ''} /> : null}
    </li>
  );
};

const FileList = ({ sessionId, label, files }: { readonly sessionId: string; readonly label: string; readonly files: readonly Listed[] }) => (
  <ul aria-label={label} className="divide-y divide-line rounded-2xl border border-line bg-surface">
    {files.map((file) => (
      <FileRow key={file.id} sessionId={sessionId} file={file} />
    ))}
  </ul>
);

const mostFiles = 200;

/** What the agent published, and what was uploaded. */
export const FilesPanel = ({ sessionId, view }: InspectorProps) => {
  const t = useText();
  const client = useClient();
  const { artifacts, turns } = view;
  // Read again when something was published, or sent with a turn.
  // biome-ignore lint/correctness/useExhaustiveDependencies: their number is how the view says so
  const files = useLoaded(useCallback(() => client.files.list(sessionId, { limit: mostFiles }), [client, sessionId, artifacts.length, turns.length]));
  const uploaded = files.data?.items ?? [];
  if (files.data && artifacts.length === 0 && uploaded.length === 0) return <p className="px-1 text-sm text-ink-faint">{t('noFilesYet')}</p>;
  return (
    <div className="flex flex-col gap-5">
      {artifacts.length === 0 ? null : (
        <Panel title={t('published')}>
          <FileList sessionId={sessionId} label={t('published')} files={artifacts.map(({ data }) => artifactListed(data)).reverse()} />
        </Panel>
      )}
      <LoadState loaded={files} />
      {uploaded.length === 0 ? null : (
        <Panel title={t('uploaded')}>
          <FileList sessionId={sessionId} label={t('uploaded')} files={uploaded.map(fileListed)} />
        </Panel>
      )}
    </div>
  );
};
