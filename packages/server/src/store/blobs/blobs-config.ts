/** Where the bytes of files are kept, as the configuration says it. */
export type S3Config = {
  /** `https://…`; the bucket stands in the path, which all servers of this kind take. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** In front of every name in the bucket; empty or ending in `/`. */
  readonly prefix: string;
};

/** `shared`: every node has this same folder. */
export type BlobsConfig =
  | { readonly type: 'folder'; readonly folder: string; readonly shared: boolean }
  | ({ readonly type: 's3' } & S3Config & { readonly scratchFolder: string });
