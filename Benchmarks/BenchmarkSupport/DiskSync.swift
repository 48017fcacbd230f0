package import Foundation

/// Duration of a small durable write, which is the lower bound for every commit.
package enum DiskSync {
    private static let count = 200

    /// Median time in seconds of a durable write of one block in a folder.
    package static func median(in folder: URL) throws -> Double {
        var file = try DurableFile(in: folder)
        let clock = ContinuousClock()
        var times: [Double] = []
        for _ in 0..<count {
            let start = clock.now
            try file.append(1)
            times.append((clock.now - start) / .seconds(1))
        }
        return Percentile.median(of: times)
    }
}
