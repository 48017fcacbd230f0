import BackendTransport
import DemoCommands
import DeviceCommands
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import Testing

@Suite("A server that is killed in the middle of an operation", .serialized)
struct ServerCrashTests {
    private static let username = "anna"
    private static let user = ScriptedUser(pin: Installation.pin)
    private static let parameters = RegistrationParameters(deviceName: "phone")

    /// The exchange in which the server dies (the request, the facet list, the response), and when in it.
    private static let moments = [1, 2, 3].flatMap { exchange in
        DyingServer.Moment.allCases.map { (exchange, $0) }
    }

    @Test("The phone ends with a network error, and its next registration or authentication mends it")
    func registration() async throws {
        let stage = try await CrashStage(user: Self.username)
        for (exchange, moment) in Self.moments {
            try await stage.makePhone("registering-\(exchange)-\(moment)")
            let error = await #expect(throws: OperationError.self) {
                try await stage.phone(dyingIn: exchange, moment).register(
                    Self.username, Self.parameters, user: Self.user)
            }
            guard case .NetworkError? = error else { throw OtherError(text: String(describing: error)) }
            try await stage.revive()
            let phone = try await stage.phone()
            do {
                _ = try await phone.authenticate(Self.username, user: Self.user)
            } catch {
                try await phone.register(Self.username, Self.parameters, user: Self.user)
                _ = try await phone.authenticate(Self.username, user: Self.user)
            }
        }
        await stage.end()
    }

    @Test("An authentication whose server dies ends with a network error, and the next one goes through")
    func authentication() async throws {
        let stage = try await CrashStage(user: Self.username)
        try await stage.makePhone("authenticating")
        try await stage.phone().register(
            Self.username, Self.parameters, user: Self.user)
        for (exchange, moment) in Self.moments {
            let error = await #expect(throws: AuthenticationError.self) {
                try await stage.phone(dyingIn: exchange, moment).authenticate(Self.username, user: Self.user)
            }
            guard case .NetworkError? = error else { throw OtherError(text: String(describing: error)) }
            try await stage.revive()
            _ = try await stage.phone().authenticate(Self.username, user: Self.user)
        }
        await stage.end()
    }

    /// The operation ended with something else than a network error.
    private struct OtherError: Error { let text: String }
}
