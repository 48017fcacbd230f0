import JOSE
import Receipts
package import ServerCore
import StrictJSON
import Synchronization
import UAF

/// Signs what was written with a confirmation; the public half of a key is kept for ever before the key signs.
package final class ReceiptService: ReceiptIssuer {
    /// `iss` of the receipts, the same as in the server's tokens.
    private let issuer: String
    private let keys: KeyService
    private let transactions: any ServerTransactionRunner
    private let clock: any WallClock
    private let published = Mutex<ServerKeyID?>(nil)

    init(issuer: String, keys: KeyService, transactions: any ServerTransactionRunner, clock: any WallClock) {
        self.issuer = issuer
        self.keys = keys
        self.transactions = transactions
        self.clock = clock
    }

    package func receipt(
        of ceremony: CeremonyID, for audience: Initiator
    ) async throws(ServerError) -> String? {
        let stored = try await transactions.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.receipt(of: ceremony)
        }
        guard let stored else { return nil }
        return try await receipt(stored, for: audience)
    }

    /// Receipt of a row that was read, for the initiator `audience`; nil when the row is another initiator's.
    ///
    /// Throws ``ServerError/signingFailed`` and ``ServerError/storageUnavailable``.
    func receipt(_ stored: StoredReceipt, for audience: Initiator) async throws(ServerError) -> String? {
        guard stored.initiator == audience,
            let content = try? JSONParser.parse(stored.claims).asObject()
        else { return nil }
        let members = Receipt.claims(
            content, issuer: issuer, audience: audience.text, confirmedAt: stored.confirmedAt.seconds,
            record: (
                chain: stored.chain, sequence: stored.record.sequence, hash: stored.record.hash.octets
            ))
        guard let claims = try? JWTClaims(members) else { throw .signingFailed }
        return try await signer().token(claims, type: Receipt.type)
    }

    package var keySetDocument: [UInt8] {
        get async throws(ServerError) {
            _ = try await signer()
            let stored = try await transactions.read { snapshot throws(ServerTransactionFailure) in
                try snapshot.receiptKeys().map(\.jwk)
            }
            guard let set = try? JWKS(stored.compactMap { try? JWK(json: $0) }) else { throw .storageUnavailable }
            return set.json
        }
    }

    /// Makes the public half of the key that signs now durable, so that no request has to.
    ///
    /// Throws ``ServerError/storageUnavailable``.
    func publishKey() async throws(ServerError) { _ = try await signer() }

    /// The key that signs now, of which the public half is durable.
    private func signer() async throws(ServerError) -> KeySigner {
        let signer = try keys.signer(for: .receiptSigning)
        if published.withLock({ $0 }) == signer.id { return signer }
        guard let jwk = signer.publicKey?.json else { throw .wrongMasterKey }
        let (id, now) = (signer.id, clock.now())
        try await transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insertReceiptKey(id, jwk: jwk, at: now)
        }
        published.withLock { $0 = id }
        return signer
    }
}

extension StoredReceipt {
    package init(_ evidence: ReceiptEvidence, chain: String, record: AuditRecord.Head) {
        let content = ReceiptContent(
            subject: evidence.subject.text, username: evidence.username.text, ceremony: evidence.id.text,
            text: evidence.text.map { String(decoding: $0, as: UTF8.self) }, credential: evidence.credential,
            registration: evidence.registrationID.text, algorithm: evidence.algorithm, publicKey: evidence.publicKey,
            protection: evidence.protection.rawValue, assertion: evidence.assertion,
            finalChallenge: evidence.finalChallenge)
        self.init(
            id: evidence.id, userID: evidence.userID, initiator: evidence.initiator,
            claims: JSONWriter.write(.object(content.claims)), chain: chain, record: record,
            confirmedAt: evidence.confirmedAt)
    }
}
