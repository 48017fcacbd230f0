import Foundation
import Testing

@Suite("SRV-REL-1: a server that is killed under load out of band", .serialized)
struct ServerCrashOutOfBandTests {
    @Test("No token is redeemed twice and no acknowledged result lost; what cannot be ended can be started again")
    func keepsItsWord() async throws {
        // Each user has two phones, so twice as many requests are under way when the server dies.
        let rounds = try CrashRounds(6, further: Self.settings) { try OutOfBandLoadUser($0, seed: $1) }
        let key = rounds.folder.appending(path: "portal.key")
        try Data(Portal.accessKey.utf8).write(to: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path())
        let audit = try await rounds.play(answerLimit: 64)
        await rounds.requireAgreement(with: audit)
        for user in rounds.users {
            for session in await user.redeemedSessions {
                #expect(audit.redemptions[session] == 1, "a redemption that was confirmed is not in the audit")
            }
        }
        #expect(audit.redemptions.values.allSatisfy { $0 == 1 }, "a token was redeemed twice")
    }

    /// A portal that may ask as fast as the phones answer, also beside what a server that died has left pending; results
    /// are kept for the whole test.
    private static let settings = """
        out-of-band:
          access-keys:
            - { name: portal, key-file: portal.key, scopes: \(Portal.scopes), requests-per-second: 10000, burst: 10000 }
          limits: { one-pending-operation: false }
          status-retention: 60m

        """
}
