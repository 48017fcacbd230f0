import Authenticators
import BenchmarkSupport
import CryptoExtras
import Foundation
import SignetCommands

/// Runs every operation of the SDK many times and splits what it took.
struct SDKBenchmark {
    private static let password = "correct horse battery staple"
    private static let names = ["pin": "anna", "fingerprint": "ben"]

    let folder: URL
    let rounds: Int

    /// The figures of all operations, then what deriving a secret costs in a product.
    func figures() async throws -> [Figure] {
        guard let own = Bundle.main.executableURL?.resolvingSymlinksInPath() else { throw BenchmarkFailure.badConstant }
        let server = try LocalServer(
            program: own.deletingLastPathComponent().appending(path: "signet-server"),
            folder: folder.appending(path: "server"),
            settings: "authorization: {registration: none}\n")
        let process = try await server.start()
        defer { process.kill() }
        for name in Self.names.values { try await server.addUser(name, password: Self.password) }
        let phone = try await BenchmarkPhone(folder: folder.appending(path: "phone"), server: server)
        let figures =
            try await operations("pin", on: phone).flatMap(\.figures)
            + operations("fingerprint", on: phone).flatMap(\.figures)
        return figures + [Figure(name: "derivation", value: try derivation(), unit: "ms")]
    }

    private func operations(_ kind: String, on phone: BenchmarkPhone) async throws -> [OperationTimes] {
        let (name, finger) = (Self.names[kind] ?? kind, kind == "fingerprint")
        let user = TimedUser(phone.watches.user)
        var registration = OperationTimes("registration-\(kind)")
        var authentication = OperationTimes("authentication-\(kind)")
        var change = OperationTimes("pin-change")
        var deregistration = OperationTimes("deregistration-\(kind)")
        // The first round opens connections and fills caches.
        for round in 0...rounds {
            let first = try await time(phone.watches) { try await phone.register(name, user, finger: finger) }
            let (right, second) = try await timed(phone.watches) {
                try await phone.authenticate(name, user, finger: finger)
            }
            let third = finger ? nil : try await time(phone.watches) { try await phone.changePin(name, user) }
            let fourth = try await time(phone.watches) { try await phone.deregister(name, right) }
            guard round > 0 else { continue }
            registration.add(first)
            authentication.add(second)
            if let third { change.add(third) }
            deregistration.add(fourth)
        }
        return [registration, authentication] + (finger ? [] : [change]) + [deregistration]
    }

    private func time(_ watches: Stopwatches, _ body: () async throws -> Void) async throws -> OperationTime {
        try await timed(watches, body).1
    }

    private func timed<Value>(
        _ watches: Stopwatches, _ body: () async throws -> Value
    ) async throws -> (Value, OperationTime) {
        watches.reset()
        let (start, worked) = (ContinuousClock.now, ProcessorTime.now)
        let value = try await body()
        return (
            value, OperationTime(total: start.duration(to: .now), processor: ProcessorTime.now - worked, watches)
        )
    }

    /// The median time in milliseconds of one derivation as products do it.
    private func derivation() throws -> Double {
        let cost = ScryptCost.production
        let times = try (0..<9).map { _ in
            let start = ContinuousClock.now
            _ = try KDF.Scrypt.deriveKey(
                from: Array("482915".utf8), salt: [UInt8](repeating: 7, count: 32), outputByteCount: 32,
                rounds: cost.rounds, blockSize: cost.blockSize, parallelism: cost.parallelism)
            return start.duration(to: .now) / .milliseconds(1)
        }
        return Percentile.median(of: times)
    }
}
