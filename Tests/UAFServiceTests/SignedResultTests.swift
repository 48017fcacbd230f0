import BackendAPI
import Foundation
import JOSE
import Locking
import Octets
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Status: a succeeded ceremony carries a signed result (O-H1)")
struct SignedResultTests {
    private let stage: OutOfBandStage

    init() async throws {
        stage = try await OutOfBandStage()
    }

    private var server: TestServer { stage.server }

    /// The claims, after the signature was verified with the published keys.
    private func claims(_ result: String?, on server: TestServer, for audience: String = "portal") throws -> JSONObject
    {
        let expectation = JWTExpectation(
            issuer: "https://login.example.com", audience: audience, maximumLifetime: 120, clockTolerance: 0)
        let keys = try JWKS(json: server.services.keySetDocument)
        let verified = try VerifiedJWT(
            parsing: try #require(result), keys: keys, expectation: expectation, now: server.clock.now().seconds)
        return try JSONParser.parse(CompactJWS(parsing: try #require(result)).unverifiedPayload).asObject().checked(
            verified)
    }

    private func succeeded(_ transaction: String? = nil) async throws -> SessionStatus {
        let (answer, request) = try await stage.redeemed(transaction: transaction)
        #expect(try await server.answer(request, with: stage.phone).message.statusCode == .ok)
        return try await server.status(answer.sessionID)
    }

    @Test("O-H1: The result of an operation names user, text, hash, time, method, authenticator and session")
    func outOfBand() async throws {
        let text = "Pay 100 EUR to Ännà"
        let (answer, request) = try await stage.redeemed(transaction: text)
        let time = server.clock.now().seconds
        #expect(try await server.answer(request, with: stage.phone).message.statusCode == .ok)
        server.clock.advance(by: .seconds(30))
        let status = try await server.status(answer.sessionID)
        let claims = try claims(status.result, on: server)
        #expect(claims["ver"] == .integer(1))
        #expect(claims["sub"] == .string("jeff-ext") && claims["preferred_username"] == .string("jeff"))
        #expect(claims["sid"] == .string(try #require(answer.sessionID)) && claims["op"] == .string("Auth"))
        #expect(claims["auth_time"] == .integer(time) && claims["amr"] == .array([.string("fido-uaf")]))
        let extID = try #require(status.outcome.authenticators.first?.externalID)
        let aaid = stage.phone.aaid.text
        #expect(claims["authenticators"] == .array([.object(["aaid": .string(aaid), "extId": .string(extID)])]))
        let hash = Base64URL.encode(TransactionHash(of: text.utf8).octets)
        #expect(claims["txn"] == .object(["text": .string(text), "sha256": .string(hash)]))
        let plain = try self.claims(try await succeeded().result, on: server)
        #expect(plain["txn"] == nil)
    }

    @Test("O-H1: An in-band ceremony has one, too, with the hash of what was confirmed")
    func inBand() async throws {
        let request = try await server.authenticationRequest(for: "jeff", transaction: "Pay 5 EUR")
        let answer = await server.answerAuthentication(try server.client.answer(request, with: [stage.phone]))
        #expect(answer.message.statusCode == .ok)
        let record = try JSONParser.parse(try #require(try await server.auditTexts().last)).asObject()
        let session = try record.string("sessionId")
        let claims = try claims(try await server.status(session).result, on: server)
        let hash = Base64URL.encode(TransactionHash(of: "Pay 5 EUR".utf8).octets)
        #expect(claims["txn"] == .object(["sha256": .string(hash)]))
        #expect(claims["sid"] == .string(session) && claims["sub"] == .string("jeff-ext"))
    }

    @Test("O-H1: The result is no access token")
    func noAccessToken() async throws {
        let result = try #require(try await succeeded().result)
        #expect(try await server.services.tokens.grant(forToken: result) == nil)
        // Also where the name of a system is the server's audience.
        let named = try await OutOfBandStage { $0.tokens.audience = "portal" }
        let (answer, request) = try await named.redeemed()
        let accepted = try await named.server.answer(request, with: named.phone)
        let confused = try #require(try await named.server.status(answer.sessionID).result)
        #expect(try await named.server.services.tokens.grant(forToken: confused) == nil)
        let token = try #require(accepted.message.token(.jwt))
        #expect(try await named.server.services.tokens.grant(forToken: token) != nil)
    }

    @Test("O-H1: Nothing but a success that still holds has a result, and each system has its own")
    func onlySuccess() async throws {
        let waiting = try await server.dispatch(to: stage.target)
        #expect(try await server.status(waiting.sessionID).result == nil)
        let (failed, request) = try await stage.redeemed()
        #expect(try await server.status(failed.sessionID).result == nil)
        #expect(try await server.answer(request, with: SyntheticAuthenticator()).message.statusCode != .ok)
        #expect(try await server.status(failed.sessionID).result == nil)
        let (answer, again) = try await stage.redeemed()
        #expect(try await server.answer(again, with: stage.phone).message.statusCode == .ok)
        let result = try #require(try await server.status(answer.sessionID).result)
        #expect(throws: JOSEError.self) { try claims(result, on: server, for: "other") }
        #expect(throws: JOSEError.self) { try claims(result, on: server, for: "signet") }
        let other = try await server.services.status.status(
            StatusRequest(sessionID: try #require(answer.sessionID)), authorization: .administrator)
        #expect(throws: Never.self) { try claims(other.result, on: server, for: "signet-result") }
        try await server.services.users.lock(named: "jeff")
        #expect(try await server.status(answer.sessionID).result == nil)
        try await server.services.users.unlock(named: "jeff")
        #expect(try await server.status(answer.sessionID).result == nil, "a lock ends what was granted before it")
        server.clock.advance(by: .seconds(120))
        #expect(throws: JOSEError.self) { try claims(result, on: server) }
    }

    @Test(
        "O-H1: A foreign implementation verifies the result, and refuses a changed one", .enabled(if: Foreign.isPresent)
    )
    func foreign() async throws {
        let result = try #require(try await succeeded("Pay 7 EUR").result)
        let keys = try JSONParser.parse(server.services.keySetDocument)
        let now = server.clock.now().seconds
        let said = try Foreign.verdict(on: result, keys, audience: "portal", now: now)
        #expect(said?["sub"] == .string("jeff-ext"))
        let parts = result.split(separator: ".").map(String.init)
        let payload = String(decoding: try Base64URL.decode(parts[1]), as: UTF8.self)
        let changed = payload.replacing("Pay 7 EUR", with: "Pay 9 EUR")
        let forged = [parts[0], Base64URL.encode(Array(changed.utf8)), parts[2]].joined(separator: ".")
        #expect(changed != payload)
        #expect(try Foreign.verdict(on: forged, keys, audience: "portal", now: now) == nil)
        #expect(try Foreign.verdict(on: result, keys, audience: "other", now: now) == nil)
        #expect(try Foreign.verdict(on: result, keys, audience: "portal", now: now + 120) == nil)
    }

    /// A JOSE library that shares no line with Signet, driven by `Tests/Interop/verify_result.py`.
    private enum Foreign {
        static let isPresent = FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/jwcrypto")

        /// The claims that the program prints; nil when it refuses the result.
        static func verdict(
            on result: String, _ keys: JSONValue, audience: String, now: Int64
        ) throws -> JSONObject? {
            let folder = try TemporaryFolder()
            let question = JSONWriter.write(.object(["result": .string(result), "keys": keys]))
            try Data(question).write(to: URL(filePath: folder.path + "/question"))
            try Data().write(to: URL(filePath: folder.path + "/answer"))
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/python3")
            let program = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Interop/verify_result.py")
            process.arguments = [program.path(), "https://login.example.com", audience, String(now)]
            process.standardInput = try FileHandle(forReadingFrom: URL(filePath: folder.path + "/question"))
            process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.path + "/answer"))
            process.standardError = FileHandle.nullDevice
            try ThreadSignals.unblocked { try process.run() }
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { return nil }
            return try JSONParser.parse(folder.bytes(of: "answer")).asObject()
        }
    }
}

extension JSONObject {
    /// The object itself, once its token was verified.
    fileprivate func checked(_ verified: VerifiedJWT) throws -> JSONObject {
        #expect(self["sub"] == .string(verified.subject))
        return self
    }
}
