import Crypto
import DeviceAttestation
import TestSupport
import Testing
import UAF

@testable import RelyingParty

@Suite("Beside UAF Protocol 3.4.6.5: the evidence that a chip holds a new key")
struct KeyAttestationTests {
    /// Reader that knows one proof.
    private struct Reader: KeyAttestationReader {
        static let proof: [UInt8] = [4, 7, 1, 1]

        let key: TPMAttestationKey

        func attestationKey(in proof: [UInt8]) -> TPMAttestationKey? { proof == Self.proof ? key : nil }
    }

    /// Outcome of a registration.
    private enum Outcome: Equatable {
        case registered(KeyAttestationFinding?)
        case refused(RefusalReason)
    }

    private typealias Fault = SyntheticTPMStatement.Fault

    private let chip = P256.Signing.PrivateKey()

    // MARK: - Parts

    /// The extension with evidence about a registration.
    private static func evidence(
        proof: [UInt8] = Reader.proof, _ made: SyntheticTPMStatement
    ) throws -> SyntheticTLV {
        piece(KeyAttestationEvidence(proof: proof, statement: try made.octets()).octets)
    }

    private static func piece(_ octets: [UInt8]) -> SyntheticTLV { .keyAttestation(octets) }

    /// A sound statement about the new key of an assertion whose signed part is given.
    private func statement(
        about authenticator: SyntheticAuthenticator, _ registration: [UInt8]
    ) throws -> SyntheticTPMStatement {
        try SyntheticTPMStatement(about: authenticator, registration: registration, by: chip)
    }

    /// Outcome of a registration with what stands beside its signed part.
    private func outcome(
        _ rule: KeyAttestationRule, of authenticator: SyntheticAuthenticator? = nil,
        beside: @escaping (SyntheticAuthenticator, _ registration: [UInt8]) throws -> [SyntheticTLV]
    ) async throws -> Outcome {
        var ceremony = try Ceremony(authenticator)
        ceremony.keyAttestation = rule
        let area = SyntheticTPMStatement.PublicArea(
            chip.publicKey, attributes: SyntheticTPMStatement.PublicArea.attesting)
        ceremony.attestationKeys = Reader(key: try TPMAttestationKey(publicArea: area.octets))
        let phone = ceremony.authenticator
        let fault = SyntheticFault(assertion: { assertion in
            do {
                for piece in try beside(phone, assertion.elements[0].encoded) { assertion.append(piece) }
            } catch {
                Issue.record(error)
            }
        })
        let message = try ceremony.registrationMessage(spoiling: fault)
        do throws(RelyingPartyError) {
            return .registered(try await ceremony.registered(message).credentials.first?.protection)
        } catch {
            #expect(error.verdict == Verdict(check: 25, status: 1496))
            #expect(error.consumesChallenge)
            return .refused(error.reason)
        }
    }

    // MARK: - Accepted

    @Test("A sound statement proves that a chip holds the key, and that it counts wrong PINs where an index does")
    func proved() async throws {
        for rule in [KeyAttestationRule.verifiedWhenStated, .required] {
            let guarded = try await outcome(rule) { [try Self.evidence(try statement(about: $0, $1))] }
            #expect(guarded == .registered(.chipWithPIN))
            let open = try await outcome(rule) { phone, registration in
                var made = try statement(about: phone, registration)
                made.index = nil
                return [try Self.evidence(made)]
            }
            #expect(open == .registered(.chip))
        }
    }

    @Test("Where no policy demands evidence a key without it passes, and nothing is proved")
    func unasked() async throws {
        for rule in [KeyAttestationRule.ignored, .verifiedWhenStated] {
            #expect(try await outcome(rule) { _, _ in [] } == .registered(.unproved))
        }
        #expect(try await outcome(.ignored) { _, _ in [Self.piece([9])] } == .registered(.unproved))
    }

    @Test("A key in the raw format is proved as well; RSA keys never are")
    func formats() async throws {
        let raw = try SyntheticAuthenticator(algorithm: .secp256r1ECDSASHA256Raw, format: .eccX962Raw)
        let proved = try await outcome(.required, of: raw) { [try Self.evidence(try statement(about: $0, $1))] }
        #expect(proved == .registered(.chipWithPIN))
        let rsa = try SyntheticAuthenticator(algorithm: .rsassaPSSSHA256DER, format: .rsa2048DER)
        let other = try SyntheticAuthenticator()
        let refused = try await outcome(.required, of: rsa) { [try Self.evidence(try statement(about: other, $1))] }
        #expect(refused == .refused(.keyAttestation(.chip(.keyKind))))
    }

    // MARK: - Refused

    @Test("Where the policy demands evidence a key without it is refused")
    func missing() async throws {
        #expect(try await outcome(.required) { _, _ in [] } == .refused(.keyAttestation(.missing)))
    }

    @Test("Evidence that comes twice, cannot be read, or has a foreign proof is refused, demanded or not")
    func pieces() async throws {
        for rule in [KeyAttestationRule.verifiedWhenStated, .required] {
            let twice = try await outcome(rule) { phone, registration in
                let piece = try Self.evidence(try statement(about: phone, registration))
                return [piece, piece]
            }
            #expect(twice == .refused(.keyAttestation(.ambiguous)))
            for octets: [UInt8] in [[1], [2, 1, 0, 7, 7], [1, 0, 0, 7], [1, 1, 0, 7], [1, 1, 2, 7, 7]] {
                let unread = try await outcome(rule) { _, _ in [Self.piece(octets)] }
                #expect(unread == .refused(.keyAttestation(.malformed)))
            }
            let unproved = try await outcome(rule) {
                [try Self.evidence(proof: [4, 7, 1, 2], try statement(about: $0, $1))]
            }
            #expect(unproved == .refused(.keyAttestation(.unprovedKey)))
        }
    }

    /// Faults that depend on what is demanded here: a PIN is not, and one that is shown takes ten tries at most.
    private static let faults: [Fault] = [
        Fault("signature of another key", .wrongSignature) { $0.attestationKey = P256.Signing.PrivateKey() },
        Fault("statement about another registration", .wrongQualification) {
            $0.qualification = KeyAttestationEvidence.qualification(of: [1])
        },
        Fault("statement about another key", .foreignKey) {
            $0.publicArea.x = Array(P256.Signing.PrivateKey().publicKey.rawRepresentation.prefix(32))
        },
        Fault("key that may leave the chip", .keyNotFixed) { $0.publicArea.attributes &= ~(1 << 1) },
        Fault("key that was made outside", .keyImported) { $0.publicArea.attributes &= ~(1 << 5) },
        Fault("key that needs no PIN", .keyWithoutPolicy) { $0.publicArea.attributes |= 1 << 6 },
        Fault("PIN of another index", .wrongPolicy) { $0.publicArea.policy = [UInt8](repeating: 1, count: 32) },
        Fault("PIN that may be guessed eleven times", .limit) { $0.counts.limit = 11 },
        Fault("PIN without a limit shown", .limitMissing) { $0.counts.isThere = false },
    ]

    @Test(
        "A statement that does not hold is refused with its cause, demanded or not",
        arguments: faults + SyntheticTPMStatement.faults.filter { ![.indexMissing, .limit].contains($0.refusal) })
    func refused(fault: SyntheticTPMStatement.Fault) async throws {
        for rule in [KeyAttestationRule.verifiedWhenStated, .required] {
            let found = try await outcome(rule) { phone, registration in
                var made = try statement(about: phone, registration)
                fault.change(&made)
                return [try Self.evidence(made)]
            }
            #expect(found == .refused(.keyAttestation(.chip(fault.refusal))))
        }
    }
}
