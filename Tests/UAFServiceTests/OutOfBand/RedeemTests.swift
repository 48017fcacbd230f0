import BackendAPI
import Foundation
import Octets
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Out of band: token (backend-http-api 2.2 and 2.5)")
struct RedeemTests {
    @Test("A token pushed to a device is redeemed, answered, and seen to have succeeded")
    func wholeFlow() async throws {
        let stage = try await OutOfBandStage()
        let server = stage.server
        let answer = try await server.dispatch(to: stage.target)
        #expect(answer.result == .dispatched)
        #expect(try await server.status(answer.sessionID).status == .tokenCreated)
        let content = try stage.device.content(of: try #require(server.push.parcels.last))
        #expect(content.redeemURL == TestServer.origin + "/nevisfido/token/redeem/authentication")
        #expect(content.token == answer.token)
        let request = await server.redeem(content.token)
        #expect(request.statusCode == .ok)
        #expect(try await server.status(answer.sessionID).status == .clientAuthenticating)
        let accepted = try await server.answer(request, with: stage.phone)
        #expect(accepted.message.statusCode == .ok)
        let status = try await server.status(answer.sessionID)
        #expect(status.status == .succeeded)
        #expect(status.outcome.userID == "jeff-ext")
        #expect(status.outcome.uafStatus == .ok)
        #expect(status.outcome.authenticators.map(\.credential) == [stage.phone.credential])
        #expect(status.tokenInformation?.result == .redeemed)
        #expect(status.tokenInformation?.dispatcherInformation?.response == "delivered")
    }

    @Test("S-M4, SRV-9: No token is in the database in any spelling, or in a status", arguments: [true, false])
    func secrecy(isPush: Bool) async throws {
        let folder = try TemporaryFolder()
        let stage = try await OutOfBandStage(store: .file(folder.path + "/signet.db"))
        var seen: Set<String> = []
        for _ in 0..<3 {
            let answer = try await stage.server.dispatch(
                to: isPush ? stage.target : nil, by: isPush ? nil : .link)
            let token = try #require(answer.token)
            #expect(token.utf8.count == 36 && seen.insert(token).inserted)
            #expect(answer.dispatcherInformation?.response.contains(token) == !isPush, "the search can find it")
            let status = try await stage.server.status(answer.sessionID)
            #expect(!String(decoding: status.body, as: UTF8.self).contains(token))
        }
        var stored = Data()
        for name in try folder.names() where name.hasPrefix("signet.db") { stored += Data(try folder.bytes(of: name)) }
        #expect(stored.count > 4_096)
        #expect(stored.range(of: Data("SQLite format 3".utf8)) != nil, "the search can find it")
        for token in seen {
            let plain = Array(token.utf8)
            let bits = try Hex.decode(token.filter { $0 != "-" })
            var spellings = [plain, bits, Array(Hex.encode(plain).utf8), Array(token.filter { $0 != "-" }.utf8)]
            // Base64 spells three octets at a time, so a text inside another one has three spellings.
            for offset in 0..<3 {
                let whole = plain.dropFirst(offset).prefix(33)
                spellings.append(Array(Base64.encode(Array(whole)).utf8))
            }
            for spelling in spellings { #expect(stored.range(of: Data(spelling)) == nil) }
        }
    }

    @Test("SRV-9: Of a hundred redeems at the same time exactly one gets the request")
    func parallelRedeems() async throws {
        let stage = try await OutOfBandStage()
        let server = stage.server
        let token = try #require(try await server.dispatch(to: stage.target).token)
        let answers = await withTaskGroup(of: ReturnUAFRequest.self) { group in
            for _ in 0..<100 { group.addTask { await server.redeem(token) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0.statusCode == .ok } == 1)
        #expect(answers.count { $0.statusCode == .requestInvalid } == 99)
        #expect(answers.count { $0.uafRequest != nil } == 1)
    }

    @Test("SRV-9: Of two server processes on one database one redeems the token, and the other can answer for it")
    func twoProcesses() async throws {
        let stage = try await OutOfBandStage()
        let second = try await TestServer(authenticators: [stage.phone], store: .of(stage.server)) {
            $0.instanceName = "second"
        }
        for _ in 0..<10 {
            let answer = try await stage.server.dispatch(to: stage.target)
            let token = try #require(answer.token)
            async let one = stage.server.redeem(token)
            async let other = second.redeem(token)
            let answers = await [one, other]
            #expect(answers.count { $0.statusCode == .ok } == 1)
            let request = try #require(answers.first { $0.statusCode == .ok })
            #expect(try await second.answer(request, with: stage.phone).message.statusCode == .ok)
            #expect(try await stage.server.status(answer.sessionID).status == .succeeded)
        }
    }

    @Test("SRV-9: A second redeem, a foreign token and another operation's path are refused, and change nothing")
    func refusals() async throws {
        let stage = try await OutOfBandStage()
        let (answer, request) = try await stage.redeemed()
        #expect(request.statusCode == .ok)
        let server = stage.server
        #expect(await server.redeem(try #require(answer.token)).statusCode == .requestInvalid)
        #expect(await server.redeem("b4b07559-f934-4597-a1c5-44d89f691e8f").statusCode == .notFound)
        #expect(await server.redeem(try #require(answer.token), for: .registration).statusCode == .badRequest)
        #expect(try await server.status(answer.sessionID).status == .clientAuthenticating)
    }

    @Test("SRV-9: A token is in time until the last millisecond", arguments: [119_999, 120_000])
    func expiry(milliseconds: Int) async throws {
        let stage = try await OutOfBandStage()
        let answer = try await stage.server.dispatch(to: stage.target)
        stage.server.clock.advance(by: .milliseconds(milliseconds))
        let status = await stage.server.redeem(try #require(answer.token)).statusCode
        #expect(status == (milliseconds < 120_000 ? .ok : .requestTimeout))
        let shown = try await stage.server.status(answer.sessionID)
        #expect(shown.status == (milliseconds < 120_000 ? .clientAuthenticating : .failed))
        #expect(shown.tokenInformation?.result == (milliseconds < 120_000 ? .redeemed : .timedOut))
    }

    @Test("O-H3: A token brought while nothing can be read or written is HTTP 503, and stays good")
    func storageFailure() async throws {
        let stage = try await OutOfBandStage()
        let token = try #require(try await stage.server.dispatch(to: stage.target).token)
        let redemption = stage.server.services.redemption
        for failsReads in [true, false] {
            stage.server.database.set { ($0.failsReads, $0.failsCommits) = (failsReads, !failsReads) }
            await #expect(throws: ServerError.storageUnavailable) {
                _ = try await redemption.redeem(
                    RedeemRequest(token: token), for: .authentication, client: ClientContext())
            }
        }
        stage.server.database.set { $0.failsCommits = false }
        #expect(await stage.server.redeem(token).statusCode == .ok)
    }

    @Test("SRV-9: After its target was removed a token is worth nothing")
    func cancelled() async throws {
        let stage = try await OutOfBandStage()
        let answer = try await stage.server.dispatch(to: stage.target)
        try await stage.server.services.removeDevice(stage.target)
        #expect(await stage.server.redeem(try #require(answer.token)).statusCode == .notFound)
        #expect(try await stage.server.status(answer.sessionID).status == .failed)
    }

    @Test("SRV-9: What is sealed for one device opens on no other")
    func otherDevice() async throws {
        let stage = try await OutOfBandStage()
        _ = try await stage.server.dispatch(to: stage.target)
        let parcel = try #require(stage.server.push.parcels.last)
        #expect(throws: Never.self) { try stage.device.content(of: parcel) }
        let other = try SyntheticDevice("org.signet.demo#2")
        #expect(throws: (any Error).self) { try other.content(of: parcel) }
    }

    @Test("SRV-2, A-3: The answer to one operation ends no other, and ends its own once")
    func crossSession() async throws {
        let stage = try await OutOfBandStage { $0.outOfBand.limits.hasOnePending = false }
        let (first, request) = try await stage.redeemed()
        let (second, _) = try await stage.redeemed()
        #expect(try await stage.server.answer(request, with: stage.phone).message.statusCode == .ok)
        #expect(try await stage.server.status(first.sessionID).status == .succeeded)
        #expect(try await stage.server.status(second.sessionID).status == .clientAuthenticating)
        #expect(try await stage.server.answer(request, with: stage.phone).message.statusCode == .requestInvalid)
        #expect(try await stage.server.status(second.sessionID).status == .clientAuthenticating)
    }

    @Test("SRV-1, A-11: Another user's key does not answer for the user, and the operation fails")
    func otherUser() async throws {
        let stage = try await OutOfBandStage()
        let foreign = try SyntheticAuthenticator()
        let eve = try await stage.server.services.users.add(name: "eve")
        try await stage.server.register(foreign, for: eve)
        let (answer, request) = try await stage.redeemed()
        let accepted = try await stage.server.answer(request, with: foreign)
        #expect(accepted.message.statusCode != .ok && accepted.message.token(.jwt) == nil)
        #expect(try await stage.server.status(answer.sessionID).status == .failed)
        let (good, again) = try await stage.redeemed()
        #expect(try await stage.server.answer(again, with: stage.phone).message.statusCode == .ok)
        #expect(try await stage.server.status(good.sessionID).outcome.userID == "jeff-ext")
    }

    @Test("A request to anyone is answered by the key, and shows the user only with success")
    func anyone() async throws {
        let stage = try await OutOfBandStage()
        let server = stage.server
        let answer = try await server.dispatch(nil, by: .link)
        let request = await server.redeem(try #require(answer.token))
        #expect(try await server.status(answer.sessionID).outcome.userID == nil)
        #expect(try await server.answer(request, with: stage.phone).message.statusCode == .ok)
        #expect(try await server.status(answer.sessionID).outcome.userID == "jeff-ext")
    }
}
