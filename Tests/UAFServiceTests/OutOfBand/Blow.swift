import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

/// What happens to a user in the middle of something.
enum Blow: CaseIterable {
    case userLocked, userRemoved, credentialDisabled, credentialRemoved, deviceRemoved, passwordChanged, deregistered
    case sessionsEnded

    /// Those that take the key or the device of the user away, or the user.
    static let ofPossession: [Blow] = [
        .userLocked, .userRemoved, .credentialDisabled, .credentialRemoved, .deviceRemoved, .deregistered,
    ]

    /// Lets it happen to the user `jeff` of a stage.
    func fall(on stage: OutOfBandStage) async throws {
        let users = stage.server.services.users
        let credential = try #require(stage.phone.credential)
        switch self {
        case .userLocked: try await users.lock(named: "jeff")
        case .userRemoved: try await users.remove(named: "jeff")
        case .credentialDisabled: try await users.setStatus(.disabled, of: [credential], ofUserNamed: "jeff")
        case .credentialRemoved: try await users.remove([credential], ofUserNamed: "jeff")
        case .deviceRemoved: try await stage.server.services.removeDevice(stage.target)
        case .passwordChanged: try await users.setPassword("another password", named: "jeff")
        case .sessionsEnded: try await users.endSessions(ofUserNamed: "jeff")
        case .deregistered: try await Self.deregister(on: stage)
        }
    }

    private static func deregister(on stage: OutOfBandStage) async throws {
        let answer = try await stage.server.services.deregistration.issueRequest(
            .init(DeregistrationContext(scope: .everything)), authorization: stage.server.grant(stage.user),
            client: ClientContext())
        #expect(answer.statusCode == .ok && answer.uafRequest != nil)
    }
}
