import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Dispatch targets: a strong login and the key itself make one (S-M3)")
struct TargetCreationTests {
    private let stage: OutOfBandStage
    private let device: SyntheticDevice

    init() async throws {
        stage = try await OutOfBandStage()
        device = try SyntheticDevice("org.signet.demo#2")
    }

    private func creation(
        _ device: SyntheticDevice? = nil, username: String? = nil
    ) throws -> DispatchTargetCreation {
        try (device ?? self.device).creation(
            of: self.device.target(named: "Another"), username: username.flatMap { UserName($0) },
            at: TestServer.origin)
    }

    private func refusal(
        _ creation: DispatchTargetCreation, _ user: User, _ methods: Set<AuthenticationMethod> = [.fidoUAF]
    ) async throws -> ServerError? {
        do throws(ServerError) {
            _ = try await stage.server.services.targets.create(
                creation, authorization: stage.server.grant(user, methods), client: ClientContext())
            return nil
        } catch {
            return error
        }
    }

    @Test("S-M3: A password makes no target for a user who has a phone, a login with a phone does")
    func strongLogin() async throws {
        #expect(try await refusal(creation(), stage.user, [.password]) == .unauthorized)
        #expect(try await stage.server.services.targets.targets(ofUserNamed: "jeff").count == 1)
        #expect(try await refusal(creation(), stage.user) == nil)
        let fresh = try await stage.server.services.users.add(name: "anna")
        #expect(try await refusal(creation(), fresh, [.password]) == nil, "the first phone needs the login there is")
    }

    @Test("S-M3: Without the proof of the target's own key, for this account and service, there is no target")
    func possession() async throws {
        let target = try device.target(named: "Another")
        #expect(try await refusal(DispatchTargetCreation(target), stage.user) == .signatureInvalid)
        #expect(try await refusal(creation(SyntheticDevice()), stage.user) == .signatureInvalid)
        let eves = try creation(username: "eve").proof
        let jeff = UserName("jeff")
        #expect(
            try await refusal(DispatchTargetCreation(target, username: jeff, proof: eves), stage.user)
                == .signatureInvalid)
        let foreign = try device.creation(of: target, at: "https://other.example.com").proof
        #expect(try await refusal(DispatchTargetCreation(target, proof: foreign), stage.user) == .signatureInvalid)
        let renamed = try device.creation(of: device.target(named: "Else"), at: TestServer.origin).proof
        #expect(try await refusal(DispatchTargetCreation(target, proof: renamed), stage.user) == .signatureInvalid)
        #expect(try await refusal(creation(username: "jeff"), stage.user) == nil)
    }
}
