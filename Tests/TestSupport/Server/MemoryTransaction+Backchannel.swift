package import OpenID
package import ServerCore

extension MemoryTransaction {
    /// Rows of CIBA, receipts and idempotent requests.
    package struct BackchannelState: Sendable {
        package var requests: [BackchannelRequestHash: BackchannelRequest] = [:]
        package var grants: [BackchannelRequestHash: GrantID] = [:]
        package var receipts: [CeremonyID: StoredReceipt] = [:]
        package var receiptKeys: [(id: ServerKeyID, jwk: [UInt8])] = []
        package var idempotent: [IdempotencyKeyHash: IdempotentRequest] = [:]
    }
}

/// Requests of CIBA.
extension MemoryTransaction {
    package func backchannelRequest(_ id: BackchannelRequestHash) -> BackchannelRequest? {
        state.backchannel.requests[id].flatMap { hasEnded($0.client, since: $0.createdAt) ? nil : $0 }
    }

    package func backchannelRequest(of ceremony: CeremonyID) -> BackchannelRequest? {
        state.backchannel.requests.values.first { $0.ceremony == ceremony }.flatMap { backchannelRequest($0.id) }
    }

    package func grant(of request: BackchannelRequestHash) -> GrantID? { state.backchannel.grants[request] }

    package func note(_ grant: GrantID, of request: BackchannelRequestHash) {
        state.backchannel.grants[request] = grant
    }

    package func insert(_ request: BackchannelRequest) { state.backchannel.requests[request.id] = request }

    package func advance(_ request: BackchannelRequest, from known: BackchannelRequest.Stage) -> Bool {
        guard var old = state.backchannel.requests[request.id], old.stage == known else { return false }
        (old.stage, old.interval, old.polledAt) = (request.stage, request.interval, request.polledAt)
        state.backchannel.requests[request.id] = old
        return true
    }

    package func removeBackchannelRows(before time: Timestamp, limit: Int) -> Int {
        let requests = state.backchannel.requests.values.filter { $0.expiresAt < time }.prefix(limit)
        for request in requests { state.backchannel.requests[request.id] = nil }
        let answers = state.backchannel.idempotent.values.filter { $0.createdAt < time }.prefix(limit)
        for answer in answers { state.backchannel.idempotent[answer.key] = nil }
        return requests.count + answers.count
    }
}

/// Receipts, their keys, and requests that may come again.
extension MemoryTransaction {
    package func receipt(of ceremony: CeremonyID) -> StoredReceipt? { state.backchannel.receipts[ceremony] }

    package func removeReceipts(confirmedBefore time: Timestamp, limit: Int) -> Int {
        let old = state.backchannel.receipts.values.filter { $0.confirmedAt < time }.prefix(limit)
        for receipt in old { state.backchannel.receipts[receipt.id] = nil }
        return old.count
    }

    package func receiptKeys() -> [(id: ServerKeyID, jwk: [UInt8])] { state.backchannel.receiptKeys }

    package func insertReceiptKey(_ id: ServerKeyID, jwk: [UInt8], at now: Timestamp) {
        guard !state.backchannel.receiptKeys.contains(where: { $0.id == id }) else { return }
        state.backchannel.receiptKeys.append((id, jwk))
    }

    package func target(externalID: TargetExternalID) -> OwnedTarget? {
        state.targets.first { $0.externalID == externalID }.flatMap { target($0.id) }
    }

    package func idempotentRequest(_ key: IdempotencyKeyHash) -> IdempotentRequest? {
        state.backchannel.idempotent[key]
    }

    package func insert(_ request: IdempotentRequest, replacingMadeBefore lost: Timestamp) -> Bool {
        if let old = state.backchannel.idempotent[request.key] {
            guard old.answer == nil, old.createdAt < lost else { return false }
        }
        state.backchannel.idempotent[request.key] = request
        return true
    }

    package func answer(_ key: IdempotencyKeyHash, with answer: IdempotentRequest.Answer?) {
        if let answer {
            state.backchannel.idempotent[key]?.answer = answer
        } else {
            state.backchannel.idempotent[key] = nil
        }
    }
}
