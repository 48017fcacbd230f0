import Foundation
import OpenID
import ServerCore
import TestSupport
import Testing

@Suite("SRV-4: Everything that is given out against every blow, over the socket, on SQLite and on PostgreSQL")
struct EndsTableTests {
    /// Subjects of the hashes of what the server gives out, by their name in the sources; nothing for a hash by which no holder may do
    /// something later.
    private static let subjects: [String: [GivenOut]] = [
        "Cookie": [.sessionCookie, .passwordCookie], "Challenge": [.registrationChallenge, .authenticationChallenge],
        "RedeemToken": [.userOperation, .invitation, .portalOperation], "Browser": [.confirmedPage, .passkeyChallenge],
        "PushedRequest": [.pushedRequest], "AuthorizationCode": [.code], "GrantToken": [.accessToken, .refreshToken],
        "ProviderCookie": [.providerCookie, .passkeyCookie, .passkeyOffer], "RecoveryCookie": [.recoveryCookie],
        "RecoveryCode": [.recoveryCookie],
        "BackchannelRequest": [.backchannelRequest],
        "IdempotencyKey": [.keptAnswer], "Policy": [], "Transaction": [], "AuditRecord": [], "LinkingDigits": [],
        "DeviceKey": [], "InitiatorSession": [], "AppAttestKey": [], "Attempt": [], "AccessKey": [], "ClientSecret": [],
        "ClientAssertion": [], "ClientKey": [], "RequestContent": [], "RemovedName": [],
    ]

    @Test("Every hash and every key of the sources is classified")
    func classified() throws {
        var found: Set<String> = []
        for path in ["ServerCore/Domain/Hashed.swift", "OpenID/Model/OpenIDHashes.swift"] {
            let text = try String(contentsOfFile: "Sources/Server/" + path, encoding: .utf8)
            found.formUnion(text.matches(of: /package enum (\w+) \{\}/).map { String($0.output.1) })
        }
        #expect(found == Set(Self.subjects.keys), "say in the table what the new thing may do, and what ends it")
        let named = Set(Self.subjects.values.joined()).union(KeyPurpose.allCases.flatMap(\.givenOut))
        // The state of a ceremony has a name that gives no right alone; another issuer's token is none of ours.
        #expect(named.union([.operationStatus, .foreignToken]) == Set(GivenOut.allCases))
    }

    @Test("Each cell is as the table says", arguments: StoredDatabase.allCases)
    func table(storage: StoredDatabase) async throws {
        var cells = 0
        for blow in Blow.allCases {
            let played = try await EndsStage.play(blow, on: storage)
            for cell in played {
                cells += 1
                let fate = cell.kind.fate(after: blow)
                #expect(cell.holds == (fate == .holds), "\(cell.kind) after \(blow), on \(storage)")
                let told = cell.kind.isLoginAtClient && blow.isTold ? 1 : 0
                #expect(cell.told == told, "the client is told of \(cell.kind) after \(blow), on \(storage)")
            }
        }
        print("ends: \(cells) cells on \(storage.testDescription)")
        #expect(cells > 250)
    }
}
