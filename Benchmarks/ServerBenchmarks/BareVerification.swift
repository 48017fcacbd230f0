import BenchmarkSupport
import Crypto
import Foundation

/// Rate of bare P-256 verifications by the crypto library, with key and signature parsed in advance, while every core
/// does the same.
///
/// All cores are busy because they are so under load as well; the rate of one thread on an idle machine (higher clock,
/// the whole cache) would make the server look worse than it is.
struct BareVerification {
    /// Verifications per second of CPU time.
    let perCPUSecond: Double
    /// Verifications of one thread per second of wall-clock time.
    let perWallSecond: Double

    private static let roundSeconds = 1.0

    /// Measures on one thread for each core and takes the mean.
    static func round() async throws -> BareVerification {
        let threads = ProcessInfo.processInfo.activeProcessorCount
        let rates = try await withThrowingTaskGroup(of: BareVerification.self) { group in
            for _ in 0..<threads { group.addTask { try onThisThread() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        return BareVerification(
            perCPUSecond: rates.map(\.perCPUSecond).reduce(0, +) / Double(rates.count),
            perWallSecond: rates.map(\.perWallSecond).reduce(0, +) / Double(rates.count))
    }

    /// Median of several rounds, each rate by itself.
    static func median(of rounds: [BareVerification]) -> BareVerification {
        BareVerification(
            perCPUSecond: Percentile.median(of: rounds.map(\.perCPUSecond)),
            perWallSecond: Percentile.median(of: rounds.map(\.perWallSecond)))
    }

    private static func onThisThread() throws -> BareVerification {
        let privateKey = P256.Signing.PrivateKey()
        let key = privateKey.publicKey
        let digest = SHA256.hash(data: [UInt8](repeating: 1, count: 180))
        let signature = try privateKey.signature(for: digest)
        let clock = ContinuousClock()
        let (wallStart, cpuStart) = (clock.now, ThreadTime.nanoseconds)
        var count = 0
        while clock.now - wallStart < .seconds(roundSeconds) {
            for _ in 0..<20 where !key.isValidSignature(signature, for: digest) { throw BenchmarkFailure.badConstant }
            count += 20
        }
        let wall = (clock.now - wallStart) / .seconds(1)
        return BareVerification(
            perCPUSecond: Double(count) / ((ThreadTime.nanoseconds - cpuStart) / 1e9),
            perWallSecond: Double(count) / wall)
    }
}
