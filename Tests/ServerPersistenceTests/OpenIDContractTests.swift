import Foundation
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF
import UAFService

/// Contract of the transaction port, kept by the storage and by the values in memory on which rules are tested.
@Suite("Rows of web sites in a transaction, in memory, in SQLite and in PostgreSQL")
struct OpenIDContractTests {
    static let storages = ContractStorage.allCases

    @Test("Pushed requests, proofs of clients and codes are taken once", arguments: storages)
    func once(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (parameters, grant, now) = (try stage.parameters(), try stage.grant(of: stage.jeff), stage.now)
        let (code, hash) = (try stage.code(of: grant), PushedRequestHash(of: [1]))
        try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.insert(parameters, pushedAs: hash, at: now, until: now, from: nil)
            try transaction.insert(grant)
            try transaction.insert(code)
        }
        let taken = try await stage.write { transaction throws(ServerTransactionFailure) in
            [try transaction.takePushedRequest(hash)?.parameters, try transaction.takePushedRequest(hash)?.parameters]
        }
        #expect(taken == [parameters, nil])
        let remembered = try await stage.write { transaction throws(ServerTransactionFailure) in
            [
                try transaction.remember(ClientAssertionHash(of: [1]), until: now),
                try transaction.remember(ClientAssertionHash(of: [1]), until: now),
            ]
        }
        #expect(remembered == [true, false])
        let replays = try await stage.write { transaction throws(ServerTransactionFailure) in
            [
                try transaction.useCode(code.hash, at: now)?.isReplay,
                try transaction.useCode(code.hash, at: now)?.isReplay,
                try transaction.useCode(AuthorizationCodeHash(of: [9]), at: now)?.isReplay,
            ]
        }
        #expect(replays == [false, true, nil])
    }

    @Test("A code keeps its challenge, and one without a challenge has none", arguments: storages, [true, false])
    func challenge(storage: ContractStorage, isSent: Bool) async throws {
        let stage = try await ContractStage(storage)
        let grant = try stage.grant(of: stage.jeff)
        let (code, now) = (try stage.code(of: grant, withChallenge: isSent), stage.now)
        try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.insert(grant)
            try transaction.insert(code)
        }
        let used = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.useCode(code.hash, at: now)
        }
        #expect(used?.code == code)
        #expect((used?.code.codeChallenge == nil) == !isSent)
    }

    @Test("A client is added once, and changed and removed where it is there", arguments: storages)
    func clients(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (id, now) = (try stage.shop(), stage.now)
        let client = RegisteredClient(id: id, name: "Shop", authentication: .none)
        let other = RegisteredClient(id: try #require(ClientID("bank")), name: "Bank", authentication: .none)
        let written = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.setDisabled(true, id, at: now)
            try transaction.setDisabled(true, other.id, at: now)
            return [
                try transaction.insert(client, at: now), try transaction.insert(client, at: now),
                try transaction.update(other), try transaction.removeClient(other.id, at: now),
            ]
        }
        #expect(written == [true, false, false, false])
        let (kept, disabled) = try await stage.read { snapshot throws(ServerTransactionFailure) in
            (try snapshot.clients(), try snapshot.disabledClients())
        }
        #expect(kept.map(\.client) == [client] && kept.map(\.isDisabled) == [true])
        #expect(disabled == [other.id, id], "a client of the configuration is not among the rows of clients")
    }

    @Test(
        "What a client was given holds no more while it is disabled, nor when it is enabled, or removed and added again",
        arguments: storages, [false, true])
    func endedClient(storage: ContractStorage, isRemoved: Bool) async throws {
        let stage = try await ContractStage(storage)
        let (id, now, parameters, page) = (try stage.shop(), stage.now, try stage.parameters(), try stage.page())
        let client = RegisteredClient(id: id, name: "Shop", authentication: .none)
        let (grant, hash) = (try stage.grant(of: stage.jeff), PushedRequestHash(of: [1]))
        let token = stage.token(of: grant, .access)
        try await stage.write { transaction throws(ServerTransactionFailure) in
            _ = try transaction.insert(client, at: now)
            try transaction.insert(parameters, pushedAs: hash, at: now, until: now, from: nil)
            try transaction.insert(page)
            try transaction.insert(grant)
            try transaction.insert(token)
        }
        let held = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [
                try snapshot.grant(grant.id) == nil, try snapshot.grantToken(token.hash) == nil,
                try snapshot.authorizationSession(page.id) == nil,
            ]
        }
        #expect(held == [false, false, false])
        try await stage.write { transaction throws(ServerTransactionFailure) in
            if isRemoved {
                _ = try transaction.removeClient(id, at: now)
                _ = try transaction.insert(client, at: now)
            } else {
                try transaction.setDisabled(true, id, at: now)
            }
        }
        let ended = try await stage.write { transaction throws(ServerTransactionFailure) in
            if !isRemoved { try transaction.setDisabled(false, id, at: now) }
            return [
                try transaction.grant(grant.id) == nil, try transaction.grantToken(token.hash) == nil,
                try transaction.authorizationSession(page.id) == nil, try transaction.takePushedRequest(hash) == nil,
            ]
        }
        #expect(ended == [true, true, true, true])
    }

    @Test("A page moves on from the stage and round that were known", arguments: storages)
    func pages(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let page = try stage.page()
        var confirming = page
        confirming.stage = .confirming(CeremonyID(from: stage.random))
        confirming.round = 1
        let moved = confirming
        var next = moved
        next.round = 2
        let renewed = next
        var finished = renewed
        finished.stage = .finished
        let ended = finished
        let steps = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.insert(page)
            return [
                try transaction.advance(moved, from: page), try transaction.advance(moved, from: page),
                try transaction.authorizationSession(page.id) == moved,
                try transaction.advance(renewed, from: moved), try transaction.advance(renewed, from: moved),
                try transaction.advance(ended, from: renewed),
            ]
        }
        #expect(steps == [true, false, true, true, false, true])
    }

    @Test("What strangers have left is found and removed, but for pages that are confirmed", arguments: storages)
    func strangers(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (page, taken, parameters, now) = (try stage.page(), try stage.page(), try stage.parameters(), stage.now)
        let operation = try stage.operation(of: nil)
        var succeeded = operation.progress
        succeeded.status = .succeeded
        let progress = succeeded
        var confirmed = taken
        confirmed.stage = .confirming(operation.id)
        let (moved, hashes) = (confirmed, [PushedRequestHash(of: [1]), PushedRequestHash(of: [2])])
        let found = try await stage.write { transaction throws(ServerTransactionFailure) -> [[OpenRequest]] in
            try transaction.insert(page)
            try transaction.insert(taken)
            try transaction.insert(
                parameters, pushedAs: hashes[0], at: now, until: now + .seconds(1), from: "192.0.2.1")
            try transaction.insert(parameters, pushedAs: hashes[1], at: now, until: now + .seconds(1), from: nil)
            let pages = try transaction.openRequests(.page, after: now)
            let pushed = try transaction.openRequests(.pushed, after: now)
            try transaction.insert(operation)
            _ = try transaction.advance(moved, from: taken)
            _ = try transaction.advance(operation, to: progress, answeredBy: nil)
            try transaction.remove(pages, .page)
            try transaction.remove(pushed, .pushed)
            return [
                pages, pushed, try transaction.openRequests(.page, after: page.expiresAt),
                try transaction.openRequests(.pushed, after: now),
            ]
        }
        #expect(Set(found[0].map(\.id)) == [page.id.octets, taken.id.octets])
        #expect(found[0].allSatisfy { $0.network == page.network && $0.expiresAt == page.expiresAt })
        #expect(found[1] == [OpenRequest(id: hashes[0].octets, network: "192.0.2.1", expiresAt: now + .seconds(1))])
        #expect(found[2].isEmpty && found[3].isEmpty)
        let left = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [try snapshot.authorizationSession(page.id), try snapshot.authorizationSession(taken.id)]
        }
        #expect(left == [nil, moved])
    }

    @Test("A session of a browser keeps the key that it is bound to", arguments: storages)
    func binding(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        var browser = stage.browser(of: stage.jeff)
        browser.binding = .key(try #require(BoundKey(stored: stage.random.bytes(count: 40))))
        let bound = browser
        let read = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.insert(bound)
            return try transaction.browserSession(bound.cookie)
        }
        #expect(read == bound)
    }

    @Test("A grant that has ended takes its tokens with it; another one stays", arguments: storages)
    func grants(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, now) = (stage.jeff, stage.now)
        let browser = stage.browser(of: jeff)
        let (one, other) = (try stage.grant(of: jeff, in: browser.id), try stage.grant(of: jeff))
        let (token, kept) = (stage.token(of: one, .refresh), stage.token(of: other, .access))
        try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.insert(browser)
            for grant in [one, other] { try transaction.insert(grant) }
            for token in [token, kept] { try transaction.insert(token) }
        }
        let before = try await stage.write { transaction throws(ServerTransactionFailure) in
            [
                try transaction.grants(of: jeff.id).count == 2, try transaction.grants(in: browser.id) == [one],
                try transaction.useRefreshToken(token.hash, at: now),
                try transaction.useRefreshToken(token.hash, at: now),
                try transaction.useRefreshToken(kept.hash, at: now),
                try prolonged(other.id, by: .seconds(-1), in: transaction) == other.expiresAt,
                try prolonged(other.id, by: .seconds(1), in: transaction) == other.expiresAt + .seconds(1),
                try transaction.grantToken(token.hash)?.usedAt == now,
                try transaction.endGrants([one.id], at: now) == 1, try transaction.endGrants([one.id], at: now) == 1,
            ]
        }
        #expect(before == [true, true, true, false, false, true, true, true, true, false])
        let after = try await stage.write { transaction throws(ServerTransactionFailure) in
            [
                try transaction.grantToken(token.hash) == nil, try transaction.grant(one.id) == nil,
                try transaction.grantToken(kept.hash) == kept,
                try transaction.browserSession(browser.cookie) == browser,
                try transaction.browserSessions(of: jeff.id) == [browser],
                try transaction.removeBrowserSession(browser.id), try transaction.removeBrowserSession(browser.id),
            ]
        }
        #expect(after == [true, true, true, true, true, true, false])
    }

    private func prolonged(
        _ id: GrantID, by time: Duration, in transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) -> Timestamp? {
        guard let known = try transaction.grant(id)?.expiresAt else { return nil }
        try transaction.prolong(id, until: known + time)
        return try transaction.grant(id)?.expiresAt
    }

    @Test("A receipt is kept with its record of the audit, and names the place of that", arguments: storages)
    func receipts(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (confirmation, now) = (try stage.confirmation(), stage.now)
        try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.append(AuditEvent(.sessionEnded, at: now))
            try transaction.append(AuditEvent(.signedIn, at: now), with: confirmation)
            try transaction.append(AuditEvent(.deregistration, at: now))
        }
        let random = CeremonyID(from: stage.random)
        let (receipt, other) = try await stage.write { transaction throws(ServerTransactionFailure) in
            (try transaction.receipt(of: confirmation.id), try transaction.receipt(of: random))
        }
        let kept = try #require(receipt)
        #expect(kept == StoredReceipt(confirmation, chain: kept.chain, record: kept.record) && other == nil)
        let record = try #require(try await stage.record(at: kept.record.sequence, of: kept.chain))
        #expect(record.contains(AuditEvent.Kind.signedIn.rawValue))
    }

    @Test("A request of CIBA moves on once, and is found by its ceremony", arguments: storages)
    func backchannel(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (request, now) = (try stage.call(for: stage.jeff), stage.now)
        var ended = request
        ended.stage = .denied
        ended.polledAt = now
        let moved = ended
        let key = ServerKeyID(from: stage.random)
        let found = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.insert(request)
            for _ in 1...2 { try transaction.insertReceiptKey(key, jwk: [1], at: now) }
            return [
                try transaction.backchannelRequest(of: request.ceremony) == request,
                try transaction.advance(moved, from: .pending), try transaction.advance(moved, from: .pending),
                try transaction.backchannelRequest(request.id) == moved,
                try transaction.receiptKeys().map(\.id) == [key],
            ]
        }
        #expect(found == [true, true, false, true, true])
    }

    @Test("An answer is kept once for its key; one that was never given makes room", arguments: storages)
    func idempotency(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let now = stage.now
        let (key, content) = (IdempotencyKeyHash(of: [1]), RequestContentHash(of: [2]))
        let request = IdempotentRequest(key: key, content: content, createdAt: now)
        let answer = IdempotentRequest.Answer(status: 201, sealedBody: [3])
        let written = try await stage.write { transaction throws(ServerTransactionFailure) in
            let first = try transaction.insert(request, replacingMadeBefore: now)
            let second = try transaction.insert(request, replacingMadeBefore: now)
            let late = try transaction.insert(request, replacingMadeBefore: now + .seconds(1))
            try transaction.answer(key, with: answer)
            let answered = try transaction.insert(request, replacingMadeBefore: now + .seconds(1))
            let kept = try transaction.idempotentRequest(key)?.answer == answer
            try transaction.answer(key, with: nil)
            return [first, second, late, answered, kept, try transaction.idempotentRequest(key) == nil]
        }
        #expect(written == [true, false, true, false, true, true])
    }

    @Test("Messages are due in their order, webhooks behind an earlier one that waits", arguments: storages)
    func messages(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let now = stage.now
        let (first, second) = (stage.message(), stage.message(after: 1))
        let (bank, ping) = (stage.message(to: "bank", after: 2), stage.message(.backchannelPing, after: 3))
        var claimed = first
        claimed.attempts = 1
        claimed.nextAttemptAt = now + .seconds(60)
        let later = claimed
        let time = now + .seconds(9)
        let ids = try await stage.write { transaction throws(ServerTransactionFailure) in
            for message in [ping, bank, second, first] { try transaction.insert(message) }
            let all = try transaction.dueMessages(at: time, limit: 10).map(\.id)
            let written = [try transaction.update(later, attempts: 0), try transaction.update(later, attempts: 0)]
            let left = try transaction.dueMessages(at: time, limit: 10).map(\.id)
            return (all: all, written: written, left: left)
        }
        #expect(ids.all == [first.id, second.id, bank.id, ping.id])
        #expect(ids.written == [true, false] && ids.left == [bank.id, ping.id])
        let removed = try await stage.write { transaction throws(ServerTransactionFailure) in
            [
                try transaction.messages(.waiting, limit: 10).count == 4, try transaction.message(first.id) == later,
                try transaction.removeMessage(bank.id), try transaction.removeMessage(bank.id),
            ]
        }
        #expect(removed == [true, true, true, false])
    }

    @Test("A place moves from where it was known, and history keeps the last entries of a user", arguments: storages)
    func placesAndHistory(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, anna) = (stage.jeff.id, stage.anna.id)
        let moved = try await stage.write { transaction throws(ServerTransactionFailure) in
            [
                try transaction.movePlace(of: "hooks", in: "test", from: nil, to: 3),
                try transaction.movePlace(of: "hooks", in: "test", from: nil, to: 4),
                try transaction.movePlace(of: "hooks", in: "test", from: 2, to: 4),
                try transaction.movePlace(of: "hooks", in: "test", from: 3, to: 4),
                try transaction.places(of: "hooks") == ["test": 4], try transaction.places(of: "other").isEmpty,
                try transaction.movePlace(of: "bells", in: "", from: nil, to: 0),
                try transaction.subscribers() == ["bells", "hooks"], try transaction.removePlaces(of: "hooks"),
                try transaction.removePlaces(of: "hooks"), try transaction.subscribers() == ["bells"],
            ]
        }
        #expect(moved == [true, false, false, true, true, true, true, true, true, false, true])
        let entries = (1...60).map { stage.entry(of: stage.jeff, $0) }
        let history = try await stage.write { transaction throws(ServerTransactionFailure) in
            for entry in entries + entries.suffix(2) { try transaction.insert(entry) }
            return [try transaction.history(of: jeff), try transaction.history(of: anna)]
        }
        #expect(history.first == Array(entries.suffix(HistoryEntry.limit).reversed()))
        #expect(history.last?.isEmpty == true)
    }
}

/// Attributes of users in the storage.
extension OpenIDContractTests {
    @Test("Users are added once, found by both names, and keep the attributes that were set last", arguments: storages)
    func attributes(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let now = stage.now
        let user = User(
            id: UserID(from: stage.random), name: try #require(UserName("carl")),
            externalID: try #require(UserName("e-carl")), createdAt: now)
        let added = try await stage.write { transaction throws(ServerTransactionFailure) in
            [
                try transaction.insert(user, mayBeAlike: false), try transaction.insert(user, mayBeAlike: false),
            ]
        }
        #expect(added == [.added, .taken])
        var attributes = UserAttributes()
        try attributes.apply([.email: .string("carl@example.com"), .groups: .array([.string("stäff")])])
        let records = [
            UserAttributesRecord(UserAttributes(), changedAt: now),
            UserAttributesRecord(attributes, changedAt: now + .seconds(1)),
        ]
        #expect(
            try await stage.write { transaction throws(ServerTransactionFailure) in
                try transaction.attributes(of: user.id)
            } == nil)
        for record in records {
            let read = try await stage.write { transaction throws(ServerTransactionFailure) in
                try transaction.set(record, of: user.id)
                return try transaction.attributes(of: user.id)
            }
            #expect(read == record)
        }
        let found = try await stage.write { transaction throws(ServerTransactionFailure) in
            [try transaction.user(named: user.name), try transaction.user(named: user.externalID)]
        }
        #expect(found == [user, user])
    }

    @Test("Of two processes that change a client one waits for the other", arguments: ContractStorage.allCases)
    func clientsAreLocked(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (shop, now) = (try #require(ClientID("shop")), stage.now)
        let disable: OpenIDTransactionBody<Bool> = { transaction throws(ServerTransactionFailure) in
            try transaction.lockClients()
            guard try !transaction.disabledClients().contains(shop) else { return false }
            Thread.sleep(forTimeInterval: 0.1)
            try transaction.setDisabled(true, shop, at: now)
            return true
        }
        async let first = stage.write(disable)
        async let second = stage.anotherProcess().transaction(disable)
        let done = try await [first, second]
        #expect(done.count { $0 } == 1)
    }
}
