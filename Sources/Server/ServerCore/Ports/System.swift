import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The clock of the machine.
package struct SystemWallClock: WallClock {
    package init() {}

    package func now() -> Timestamp {
        Timestamp(milliseconds: Int64((Date.now.timeIntervalSince1970 * 1000).rounded(.down)))
    }
}

/// Waits by the clock of the machine.
package struct SystemPause: Pause {
    package init() {}

    package func wait(for stream: AsyncStream<Void>, atMost duration: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var iterator = stream.makeAsyncIterator()
                await iterator.next()
            }
            group.addTask { try? await Task.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }
}

/// Random bytes from the operating system.
package struct SystemRandomSource: RandomSource {
    /// Most bytes that the system gives in one call (getentropy(3)).
    private static let callLimit = 256

    package init() {}

    package func bytes(count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            while filled < count {
                let piece = min(count - filled, Self.callLimit)
                // Fails only for a piece that is too long, and where the system has no generator at all.
                guard getentropy(bytes.baseAddress.map { $0 + filled }, piece) == 0 else {
                    preconditionFailure("the system gives no random bytes")
                }
                filled += piece
            }
        }
    }
}
