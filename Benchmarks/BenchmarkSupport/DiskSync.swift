package import Foundation

/// Duration of a small durable write, which is the lower bound for every commit.
package enum DiskSync {
    /// Error number of a write that the operating system refused.
    package struct Refusal: Error {
        package let errorNumber: Int32
    }

    private static let count = 200
    private static let blockByteCount = 4_096

    /// Median time in seconds of a 4 KiB write with `fdatasync` in a folder.
    package static func median(in folder: URL) throws -> Double {
        let path = folder.appending(path: "disk-sync").path()
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Refusal(errorNumber: errno) }
        defer {
            close(descriptor)
            unlink(path)
        }
        let block = [UInt8](repeating: 1, count: blockByteCount)
        let clock = ContinuousClock()
        let times = try (0..<count).map { _ in
            let start = clock.now
            guard write(descriptor, block, block.count) == block.count, fdatasync(descriptor) == 0 else {
                throw Refusal(errorNumber: errno)
            }
            return (clock.now - start) / .seconds(1)
        }
        return Percentile.median(of: times)
    }
}
