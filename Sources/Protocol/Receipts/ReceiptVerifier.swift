import Crypto
package import JOSE
import Octets
import StrictJSON
import UAF

/// Verifier of receipts: needs the public keys of receipts, and nothing of the server that has signed them.
package struct ReceiptVerifier: ReceiptVerification {
    package init() {}

    package func verify(
        _ receipt: String, keys: JWKS, audit: [[UInt8]]?
    ) throws(ReceiptError) -> Receipt {
        let verified = try Receipt(claims: signedClaims(receipt, keys: keys))
        let assertion: AuthenticationAssertion
        do throws(TLVError) {
            assertion = try AuthenticationAssertion(octets: verified.assertion)
        } catch {
            throw .refused(.assertion)
        }
        try requireText(of: verified, in: assertion.signedData)
        try requireChallenge(of: verified, in: assertion.signedData)
        try requireSignature(of: verified, assertion)
        if let audit { try requireRecord(of: verified, in: audit) }
        return verified
    }

    // MARK: - Signature of the server

    private func signedClaims(_ receipt: String, keys: JWKS) throws(ReceiptError) -> [UInt8] {
        guard receipt.utf8.count <= Receipt.byteLimit else { throw .malformed(claim: nil) }
        let token: CompactJWS
        do throws(JOSEError) {
            token = try CompactJWS(parsing: receipt)
        } catch {
            if error == .unsupportedAlgorithm { throw .refused(.serverSignature) }
            throw .malformed(claim: nil)
        }
        guard token.header.type?.hasSameOctets(as: Receipt.type) == true else { throw .malformed(claim: "typ") }
        guard token.header.keyID != nil else { throw .malformed(claim: "kid") }
        guard token.header.algorithm == .es256, let verified = try? token.verified(by: keys) else {
            throw .refused(.serverSignature)
        }
        return verified.payload
    }

    // MARK: - What the phone has signed

    private func requireText(of receipt: Receipt, in signed: SignedData) throws(ReceiptError) {
        let hash = receipt.text.map(ReceiptContent.hash(of:)) ?? []
        guard signed.hashes.transactionContent == hash else { throw .refused(.text) }
    }

    private func requireChallenge(of receipt: Receipt, in signed: SignedData) throws(ReceiptError) {
        var rules = DecodingRules()
        rules.toleratesSloppyBase64URL = true
        guard let text = String(validUTF8: receipt.finalChallenge),
            signed.hashes.finalChallenge == FinalChallengeParameters.hash(ofEncoded: text),
            (try? FinalChallengeParameters(encoded: text, rules: rules)) != nil
        else { throw .refused(.challenge) }
    }

    private func requireSignature(
        of receipt: Receipt, _ assertion: AuthenticationAssertion
    ) throws(ReceiptError) {
        let signed = assertion.signedData
        guard signed.credential == receipt.credential, signed.info.signatureAlgorithm == receipt.algorithm,
            try AssertionSignature.holds(
                assertion.signature, over: signed.octets, by: receipt.publicKey, receipt.algorithm)
        else { throw .refused(.assertion) }
    }

    // MARK: - Audit

    private func requireRecord(of receipt: Receipt, in lines: [[UInt8]]) throws(ReceiptError) {
        let records = lines.lazy.compactMap { ReceiptAuditLine($0) }
        guard
            let record = records.first(where: {
                $0.sequence == receipt.sequence && $0.chain.hasSameOctets(as: receipt.chain)
            }), record.hash == receipt.recordHash, record.hash == record.computedHash,
            record.ceremony?.hasSameOctets(as: receipt.ceremony) == true,
            record.transaction == receipt.text.map(ReceiptContent.hash(of:))
        else { throw .refused(.audit) }
    }
}

/// Line of an exported audit, as far as a receipt needs it.
struct ReceiptAuditLine {
    let chain: String
    let sequence: Int64
    let hash: [UInt8]
    /// SHA-256 over the hash before, the length and name of the chain, the sequence and the event.
    let computedHash: [UInt8]
    /// `sessionId` of the event.
    let ceremony: String?
    /// `txnHash` of the event.
    let transaction: [UInt8]?

    init?(_ line: [UInt8]) {
        guard let members = try? JSONParser.parse(line, limits: .message).asObject(),
            let chain = try? members.string("chain"), let sequence: Int64 = try? members.integer("sequence"),
            let hash = Self.octets("hash", in: members), let previous = Self.octets("previousHash", in: members),
            case .object(let event) = members["event"]
        else { return nil }
        self.chain = chain
        self.sequence = sequence
        self.hash = hash
        let name = Array(chain.utf8)
        let written = JSONWriter.write(.object(event), escapesMarkup: true)
        let hashed = previous + Self.fixed(Int64(name.count)) + name + Self.fixed(sequence) + written
        computedHash = Array(SHA256.hash(data: hashed))
        ceremony = try? event.string("sessionId")
        transaction = Self.octets("txnHash", in: event)
    }

    private static func octets(_ name: String, in members: JSONObject) -> [UInt8]? {
        guard let text = try? members.string(name) else { return nil }
        return try? Base64URL.decode(text)
    }

    private static func fixed(_ number: Int64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Int64($0)) }
    }
}
