import NIOCore
import Synchronization

/// Body of a request while it arrives.
///
/// It keeps no more than its reader accepts: once it has got more octets than the limit, which its reader refuses at that
/// point, the rest is discarded.
final class ArrivingBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    typealias AsyncIterator = AsyncThrowingStream<ByteBuffer, any Error>.Iterator

    private let limit: Int
    private let whenAwaited: @Sendable () -> Void
    private let stream: AsyncThrowingStream<ByteBuffer, any Error>
    private let source: AsyncThrowingStream<ByteBuffer, any Error>.Continuation
    private let count = Mutex(0)

    /// A body of which nothing has arrived; `limit` is the number of octets that its reader accepts.
    ///
    /// `whenAwaited` is called when it is read before any of it has arrived.
    init(limit: Int, whenAwaited: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.whenAwaited = whenAwaited
        (stream, source) = AsyncThrowingStream.makeStream(of: ByteBuffer.self)
    }

    func makeAsyncIterator() -> AsyncIterator {
        if count.withLock({ $0 == 0 }) { whenAwaited() }
        return stream.makeAsyncIterator()
    }

    func receive(_ octets: ByteBuffer) {
        let isKept = count.withLock { count in
            defer { count = Swift.min(count, limit) + octets.readableBytes }
            return count <= limit
        }
        if isKept { source.yield(octets) }
    }

    func end() { source.finish() }

    func end(throwing error: any Error) { source.finish(throwing: error) }
}
