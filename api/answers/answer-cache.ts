import { LRUCache } from 'lru-cache';
import type { Publication } from '../../sql/warehouse/versions.ts';
import type { PageLinks } from '../wire/link.ts';
import type { KeptBody } from './kept-body.ts';

/**
 * Answers that were given, for callers who ask the same. A version never changes, so an answer stays right for as long as
 * the publication is served; then all of its answers go. The answer read longest ago goes first when there is no more room.
 */

/** An answer without what belongs to one request. */
export interface KeptAnswer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly media: string;
  readonly rowCount: number | null;
  readonly page: PageLinks | undefined;
  readonly body: KeptBody;
}

/** Counts what becomes of questions. */
export interface AnswerMeter {
  /** `hit`: the answer was kept; `joined`: it was being made for another caller; `miss`: it was made. */
  answerSought(outcome: 'hit' | 'joined' | 'miss'): void;
  /** An answer has made room for others. */
  answerEvicted(): void;
}

/** A question as the cache knows it. */
export interface AskedQuestion {
  /** The publication that it reads. */
  readonly publication: Publication;
  /** Equal for questions with equal answers. */
  readonly key: string;
  /** Equal for questions whose answers are made alike, refusals included. */
  readonly maker: string;
}

export interface AnswerCache {
  /** False: nothing is kept, and nobody has to ask. */
  readonly isOn: boolean;
  /**
   * Returns the answer to a question. It is made once for all who ask at the same time; if that fails, it fails for each of
   * them, and nothing is kept.
   */
  answer(question: AskedQuestion, make: () => Promise<KeptAnswer>): Promise<KeptAnswer>;
  size(): { readonly answers: number; readonly bytes: number };
}

/** Bytes that an answer takes beside its body: keys, headers, and their places in the cache. */
const BYTES_BESIDE = 1024;

/** No answer may take more than this share of the room: the largest would displace all others. */
const LARGEST_SHARE = 1 / 8;

/**
 * @param bytes the room for answers; 0 = none are kept
 * @param served returns the publication that is served now
 */
export function answerCache(bytes: number, meter: AnswerMeter, served: () => Publication | null): AnswerCache {
  if (bytes === 0) return NO_ANSWERS;
  const kept = new LRUCache<string, KeptAnswer>({
    maxSize: bytes,
    maxEntrySize: Math.ceil(bytes * LARGEST_SHARE),
    sizeCalculation: ({ body }) => body.size + BYTES_BESIDE,
    dispose: (_, __, reason) => reason === 'evict' && meter.answerEvicted(),
  });
  const underway = new Map<string, Promise<KeptAnswer>>();
  let ofPublication: Publication | null = null;

  /** Lets the answers of a former publication go. */
  const current = (): Publication | null => {
    const now = served();
    if (now !== ofPublication) kept.clear();
    ofPublication = now;
    return now;
  };

  const keep = (key: string, answer: KeptAnswer): void => {
    answer.body.pack();
    answer.body.onGrowth = () => {
      if (kept.peek(key) !== answer) return;
      // To set the same object again would leave its size as it was.
      kept.delete(key);
      kept.set(key, answer);
    };
    kept.set(key, answer);
  };

  return {
    isOn: true,
    async answer({ publication, key, maker }, make) {
      const found = current() === publication ? kept.get(key) : undefined;
      if (found !== undefined) {
        meter.answerSought('hit');
        return found;
      }
      const other = underway.get(maker);
      if (other !== undefined) {
        meter.answerSought('joined');
        return other;
      }
      meter.answerSought('miss');
      const made = make();
      underway.set(maker, made);
      try {
        const answer = await made;
        // A request that began before the version was replaced leaves nothing behind.
        if (current() === publication) keep(key, answer);
        return answer;
      } finally {
        underway.delete(maker);
      }
    },
    size() {
      current();
      return { answers: kept.size, bytes: kept.calculatedSize };
    },
  };
}

const NO_ANSWERS: AnswerCache = {
  isOn: false,
  answer: (_, make) => make(),
  size: () => ({ answers: 0, bytes: 0 }),
};
