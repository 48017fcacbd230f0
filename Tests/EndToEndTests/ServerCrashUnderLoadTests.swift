import Testing

@Suite("SRV-REL-1: a server that is killed under load", .serialized)
struct ServerCrashUnderLoadTests {
    @Test("No acknowledged registration is lost and no response accepted twice, however often it is killed")
    func keepsItsWord() async throws {
        // Each user works by himself, so as many requests are under way when the server dies.
        let rounds = try CrashRounds(8) { try LoadUser($0, seed: $1) }
        let audit = try await rounds.play(answerLimit: 48)
        await rounds.requireAgreement(with: audit)
    }
}
