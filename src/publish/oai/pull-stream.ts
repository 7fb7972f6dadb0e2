/** A generator as a stream that is only read as fast as the client takes it. */

export interface StreamWatch {
  /** The client took a piece. */
  pulled(): void;
  /** Ended, failed or cancelled; called once. */
  ended(): void;
}

export interface PulledStream {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Cuts the connection: what was sent stays unfinished. */
  abort(reason: unknown): void;
}

export function streamPieces(
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  watch: StreamWatch,
): PulledStream {
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    watch.ended();
  };
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: (made) => {
        controller = made;
      },
      pull: async (made) => {
        watch.pulled();
        try {
          const { done, value } = await pieces.next();
          if (isOver) return;
          if (done === true) {
            end();
            made.close();
          } else made.enqueue(value);
        } catch (error) {
          end();
          made.error(error);
        }
      },
      cancel: async () => {
        end();
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
  return {
    stream,
    abort: (reason) => {
      if (isOver) return;
      end();
      controller?.error(reason);
    },
  };
}
