/** Files and artifacts of a session: upload, list, read, publish. */
import { TurnkeeperError } from '@turnkeeper/core/protocol/errors';
import { artifactResource, artifactsPage, fileResource, filesPage, publishArtifactRequest } from '@turnkeeper/core/protocol/wire/files';
import { pageQuery } from '@turnkeeper/core/protocol/wire/sessions';
import { deleteArtifact, publishArtifact } from '../../app/publish-artifact.ts';
import { findTurnArtifactFile, listArtifacts, listTurnArtifacts, readArtifact } from '../../app/read-artifacts.ts';
import { findFile, listFiles, readFile } from '../../app/read-files.ts';
import { uploadFile } from '../../app/upload-file.ts';
import type { Api, ApiServices } from '../api.ts';
import { fileName } from '../file-name.ts';
import { idempotencyKey, sendKeyed } from '../idempotency-key.ts';
import { operation } from '../openapi/operation.ts';
import { registerRawBodies, withBody } from '../raw-body.ts';
import { sendFile } from '../send-file.ts';
import { artifactParams, fileParams, sessionParams, sessionPath, turnArtifactParams, turnParams, turnPath } from './addresses.ts';

const tag = 'files';
const bytes = 'application/octet-stream';

const upload = operation(
  {
    summary: 'Upload a file',
    description: 'The body is the file, of at most 16 MiB; `Content-Type` says what it is. A repeat with the same key must have the same bytes.',
    tag,
    answers: { 201: fileResource },
    errors: [403, 404, 409, 413, 415],
    key: 'required',
    takes: 'bytes',
  },
  { params: sessionParams },
);
const list = operation(
  { summary: 'List the files of a session, oldest first', tag, answers: { 200: filesPage }, errors: [403, 404] },
  { params: sessionParams, querystring: pageQuery },
);
const read = operation({ summary: 'Read what a file is', tag, answers: { 200: fileResource }, errors: [403, 404] }, { params: fileParams });
const content = operation(
  {
    summary: 'Download a file',
    description: 'Always an attachment. Takes `Range` (one range of bytes) and `If-None-Match`.',
    tag,
    answers: { 200: bytes, 206: bytes, 304: null },
    errors: [403, 404, 416],
  },
  { params: fileParams },
);
const publish = operation(
  {
    summary: 'Publish an artifact',
    description: 'A file of the session, or something elsewhere by its https address.',
    tag,
    answers: { 201: artifactResource },
    errors: [403, 404, 409],
    key: 'required',
  },
  { params: sessionParams, body: publishArtifactRequest },
);
const artifacts = operation(
  { summary: 'List the artifacts of a session, oldest first', tag, answers: { 200: artifactsPage }, errors: [403, 404] },
  { params: sessionParams, querystring: pageQuery },
);
const artifact = operation({ summary: 'Read an artifact', tag, answers: { 200: artifactResource }, errors: [403, 404] }, { params: artifactParams });
const remove = operation(
  { summary: 'Take an artifact back', description: 'It is shown no more; its file stays.', tag, answers: { 204: null }, errors: [403, 404] },
  { params: artifactParams },
);
const artifactsOfTurn = operation(
  { summary: 'List what the agent published in a turn', tag, answers: { 200: artifactsPage }, errors: [403, 404] },
  { params: turnParams, querystring: pageQuery },
);
const contentOfTurn = operation(
  {
    summary: 'Download an artifact of a turn',
    description: 'As a file is downloaded.',
    tag,
    answers: { 200: bytes, 206: bytes, 304: null },
    errors: [403, 404, 409, 416],
  },
  { params: turnArtifactParams },
);

/** A form would be kept as the file, with its boundaries and all. */
const refuseForm = (contentType: string | undefined): void => {
  if (!/^\s*multipart\//i.test(contentType ?? '')) return;
  const how = 'with Content-Type for what they are and X-File-Name for the name (curl --data-binary @report.pdf)';
  throw new TurnkeeperError('unsupported_media_type', `No form is taken here: send the bytes themselves as the body, ${how}.`);
};

const registerUpload = (api: Api, { app }: ApiServices): void => {
  registerRawBodies(api);
  api.post(`${sessionPath}/files`, { schema: upload }, async (request, reply) => {
    const { headers, caller, params } = request;
    const key = idempotencyKey(request);
    const about = { contentType: headers['content-type'], name: fileName(headers['x-file-name']) };
    const answer = await withBody(request.raw, async (body) => {
      refuseForm(about.contentType);
      return uploadFile(app, caller, params.sessionId, { ...about, bytes: body }, key);
    });
    return sendKeyed(reply, 201, answer);
  });
};

export const registerFiles = (api: Api, services: ApiServices): void => {
  const { app } = services;
  api.register(async (raw: Api) => registerUpload(raw, services));
  api.get(`${sessionPath}/files`, { schema: list }, ({ caller, params, query }) => listFiles(app, caller, params.sessionId, query));
  api.get(`${sessionPath}/files/:fileId`, { schema: read }, ({ caller, params }) => readFile(app, caller, params.sessionId, params.fileId));
  api.get(`${sessionPath}/files/:fileId/content`, { schema: content }, async (request, reply) =>
    sendFile(request, reply, app.files, await findFile(app, request.caller, request.params.sessionId, request.params.fileId)),
  );
  api.post(`${sessionPath}/artifacts`, { schema: publish }, async (request, reply) =>
    sendKeyed(reply, 201, await publishArtifact(app, request.caller, request.params.sessionId, request.body, idempotencyKey(request))),
  );
  api.get(`${sessionPath}/artifacts`, { schema: artifacts }, ({ caller, params, query }) => listArtifacts(app, caller, params.sessionId, query));
  api.get(`${sessionPath}/artifacts/:artifactId`, { schema: artifact }, ({ caller, params }) => readArtifact(app, caller, params.sessionId, params.artifactId));
  api.delete(`${sessionPath}/artifacts/:artifactId`, { schema: remove }, async ({ caller, params }, reply) => {
    await deleteArtifact(app, caller, params.sessionId, params.artifactId);
    return reply.code(204).send();
  });
  api.get(`${turnPath}/artifacts`, { schema: artifactsOfTurn }, ({ caller, params, query }) =>
    listTurnArtifacts(app, caller, params.sessionId, params.turnId, query),
  );
  api.get(`${turnPath}/artifacts/:artifactId`, { schema: contentOfTurn }, async (request, reply) => {
    const { sessionId, turnId, artifactId } = request.params;
    return sendFile(request, reply, app.files, await findTurnArtifactFile(app, request.caller, sessionId, turnId, artifactId));
  });
};
