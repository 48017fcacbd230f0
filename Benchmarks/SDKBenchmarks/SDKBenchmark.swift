import Authenticators
import BenchmarkSupport
import CommandSupport
import DemoCommands
import Foundation

/// Repeated runs of every operation of the SDK, with the time of each part.
struct SDKBenchmark {
    private static let password = "correct horse battery staple"
    /// Number of rounds with the key derivation of products, whose times are used only for the cost of the derivation.
    private static let derivedRounds = 9

    let folder: URL
    let rounds: Int

    /// Figures of all operations.
    func figures() async throws -> [Figure] {
        guard let program = ServerProgram.url else { throw BenchmarkFailure.serverNotBuilt }
        let server = try LocalServer(
            program: program, folder: folder.appending(path: "server"),
            settings: "authorization: {registration: none}\n")
        let process = try await server.start()
        defer { process.kill() }
        for kind in TimedVerification.allCases { try await server.addUser(kind.username, password: Self.password) }
        let nearlyFree = SecretProtection(cost: try ScryptCost(rounds: 2, blockSize: 1, parallelism: 1), leastRounds: 2)
        let phone = try await BenchmarkPhone(folder: folder.appending(path: "phone"), server: server, nearlyFree)
        let pin = try await operations(.pin, on: phone, rounds: rounds)
        let finger = try await operations(.fingerprint, on: phone, rounds: rounds)
        let product = try await BenchmarkPhone(
            folder: folder.appending(path: "product"), server: server, .production)
        let derived = try await operations(.pin, on: product, rounds: Self.derivedRounds)
        // The last operation, a deregistration, is the only one without a derivation.
        return Array(zip(pin, derived)).dropLast().flatMap { $0.figures(with: $1) }
            + (pin.suffix(1) + finger).flatMap { $0.figures(with: nil) }
    }

    private func operations(
        _ kind: TimedVerification, on phone: BenchmarkPhone, rounds: Int
    ) async throws -> [OperationTimes] {
        let (name, finger) = (kind.username, kind == .fingerprint)
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
}
