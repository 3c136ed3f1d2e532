/** A file on disk that is an answer: it never changes, and is sent as a stream, whole or in ranges. */
export class StoredFile {
  readonly path: string;
  /** The name under which a caller keeps it. */
  readonly name: string;
  readonly media: string;
  readonly bytes: number;
  /** Hexadecimal, of its content. */
  readonly sha256: string;

  constructor({ path, name, media, bytes, sha256 }: StoredFile) {
    this.path = path;
    this.name = name;
    this.media = media;
    this.bytes = bytes;
    this.sha256 = sha256;
  }
}
