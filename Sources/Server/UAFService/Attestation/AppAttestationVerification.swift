import BackendAPI
import Crypto
import DeviceAttestation
import FoundationEssentials
import RelyingParty
import ServerCore
import UAF

/// Verification of statements about the application that responds.
///
/// Statements of Apple's service and keys are about the SHA-256 of the UAF response; Android's key store makes its statement
/// about the registered key, and names the SHA-256 of the final challenge parameters.
final class AppAttestationVerification: Sendable {
    /// Failure to find that a statement holds.
    enum Failure: Error, Hashable {
        /// The statement does not hold, or is missing; the reason in the words of the audit.
        case refused(String)
        case storage(ServerError)
    }

    /// Response whose UAF part was judged, as far as a statement is about it.
    struct Response {
        /// The UAF message as it was sent.
        let message: [UInt8]
        let statement: AppAttestationStatement?
        let receivedAt: Timestamp
        /// Demands on the application, the same from the beginning of the operation to its end.
        var demands: ApplicationDemands
        /// Demands of the policy, of which one has to hold; none: the server's own decide.
        ///
        /// Nil refuses: no criteria of the policy are about the key.
        let alternatives: [PolicyDemand]?
        /// The alternative that the response is judged by; nil for the server's own demands.
        fileprivate(set) var demand: PolicyDemand?

        /// The digest that the application gave to Apple's framework.
        fileprivate var clientDataHash: [UInt8] { Array(SHA256.hash(data: message)) }
        fileprivate var time: Date { Date(timeIntervalSince1970: Double(receivedAt.milliseconds) / 1000) }
    }

    private let transactions: any ServerTransactionRunner

    init(transactions: any ServerTransactionRunner) {
        self.transactions = transactions
    }

    /// Judges by the first alternative of the policy that holds; the reason is of the last one when none does.
    private func first(
        of response: Response, _ judge: (Response) async throws(Failure) -> AttestedApplication?
    ) async throws(Failure) -> AttestedApplication? {
        guard let alternatives = response.alternatives else { throw .refused("policy") }
        guard !alternatives.isEmpty else { return try await judge(response) }
        var failure = Failure.refused("missing")
        for demand in alternatives {
            var narrowed = response
            narrowed.demand = demand
            narrowed.demands.settings = response.demands.settings.narrowed(to: demand)
            do throws(Failure) {
                return try await judge(narrowed)
            } catch .refused(let reason) {
                failure = .refused(reason)
            } catch {
                throw error
            }
        }
        throw failure
    }

    // MARK: - Registration

    /// The application that registers; nil where none is stated and none is demanded.
    ///
    /// `challengeHash` is the SHA-256 of the final challenge parameters as they were received.
    func application(
        registering verified: VerifiedRegistration, challengeHash: [UInt8], in response: Response
    ) async throws(Failure) -> AttestedApplication? {
        try await first(of: response) { response throws(Failure) in
            try await registrant(verified, challengeHash, in: response)
        }
    }

    private func registrant(
        _ verified: VerifiedRegistration, _ challengeHash: [UInt8], in response: Response
    ) async throws(Failure) -> AttestedApplication? {
        let rule = response.demands.settings.rule
        guard rule != .ignored else { return nil }
        switch response.statement {
        case nil:
            let certificates = verified.onlyCredential?.certificates ?? []
            if response.demand != nil, !certificates.isEmpty {
                try await requireAndroidKey(certificates, of: verified, challengeHash: nil, in: response)
                return .androidKey
            }
            guard rule != .required else { throw .refused("missing") }
            return nil
        case .newAppleKey(let id, let attestation):
            return .newAppleKey(try await newKey(id, attestation, in: response))
        case .appleKey(let id, let assertion):
            guard let keyID = AppAttestKeyID(stored: id) else { throw .refused("unknownKey") }
            let known = try await known(keyID, of: [])
            return try asserted(assertion, by: known.key, in: response)
        case .androidKey(let certificates):
            try await requireAndroidKey(certificates, of: verified, challengeHash: challengeHash, in: response)
            return .androidKey
        }
    }

    // MARK: - Authentication

    /// The application that authenticates with `credentials`; nil where none is stated and none is demanded.
    ///
    /// A credential that an application has registered with a key of App Attest is used with assertions of that key, or
    /// with a new key. One that Android's key store vouches for needs no further statement: its own key has signed.
    func application(
        using credentials: [RegistrationID], in response: Response
    ) async throws(Failure) -> AttestedApplication? {
        try await first(of: response) { response throws(Failure) in
            try await holder(of: credentials, in: response)
        }
    }

    private func holder(
        of credentials: [RegistrationID], in response: Response
    ) async throws(Failure) -> AttestedApplication? {
        let settings = response.demands.settings
        guard settings.rule != .ignored, settings.coversAuthentication else { return nil }
        switch response.statement {
        case nil:
            let stored = try await known(nil, of: credentials).attestations
            let takesAndroid = response.demand.map { $0.packages != nil } ?? true
            let isVouchedFor = takesAndroid && stored.allSatisfy { $0 == .androidKey }
            let isUnknown = stored.allSatisfy { $0 == nil || $0 == .androidKey }
            guard isVouchedFor || isUnknown && settings.rule != .required else { throw .refused("missing") }
            return nil
        case .newAppleKey(let id, let attestation):
            // A key that Android's key store holds answers on no other platform.
            let stored = try await known(nil, of: credentials).attestations
            guard stored.allSatisfy({ $0 != .androidKey }) else { throw .refused("foreignKey") }
            return .newAppleKey(try await newKey(id, attestation, in: response))
        case .appleKey(let id, let assertion):
            guard let keyID = AppAttestKeyID(stored: id) else { throw .refused("unknownKey") }
            let known = try await known(keyID, of: credentials)
            guard known.attestations.allSatisfy({ $0 == nil || $0 == .appleKey(keyID) }) else {
                throw .refused("foreignKey")
            }
            return try asserted(assertion, by: known.key, in: response)
        case .androidKey:
            throw .refused("registrationOnly")
        }
    }

    // MARK: - Apple

    private func newKey(
        _ id: [UInt8], _ attestation: [UInt8], in response: Response
    ) async throws(Failure) -> AppAttestKey {
        guard let apple = response.demands.settings.apple, let roots = response.demands.appleRoots else {
            throw .refused("notConfigured")
        }
        do throws(AppAttestRefusal) {
            return try await AppAttestKey(
                attestation: attestation, keyID: id, clientDataHash: response.clientDataHash,
                meeting: apple.requirement, endingAt: roots, at: response.time)
        } catch {
            throw .refused(error.word)
        }
    }

    private func asserted(
        _ assertion: [UInt8], by key: AppAttestKey?, in response: Response
    ) throws(Failure) -> AttestedApplication {
        guard let apple = response.demands.settings.apple else { throw .refused("notConfigured") }
        guard let key, let id = AppAttestKeyID(stored: key.keyID) else { throw .refused("unknownKey") }
        guard apple.requirement.environments.contains(key.environment) else { throw .refused("environment") }
        do throws(AppAttestRefusal) {
            let next = try key.asserted(
                assertion, clientDataHash: response.clientDataHash, meeting: apple.requirement)
            return .appleKey(id, counter: next.counter)
        } catch {
            throw .refused(error.word)
        }
    }

    /// Applications as the storage knows them.
    private struct Known: Sendable {
        var key: AppAttestKey?
        var attestations: [CredentialAttestation?] = []
    }

    private func known(_ id: AppAttestKeyID?, of credentials: [RegistrationID]) async throws(Failure) -> Known {
        do throws(ServerError) {
            return try await transactions.read { snapshot throws(ServerTransactionFailure) in
                var known = Known()
                if let id { known.key = try snapshot.appAttestKey(id) }
                for credential in credentials {
                    known.attestations.append(try snapshot.attestation(of: credential))
                }
                return known
            }
        } catch {
            throw .storage(error)
        }
    }

    // MARK: - Android

    /// Requires that the certificates certify the registered key, which is then the only one.
    ///
    /// Without `challengeHash` they belong to its full attestation: the key itself has signed the registration.
    private func requireAndroidKey(
        _ certificates: [[UInt8]], of verified: VerifiedRegistration, challengeHash: [UInt8]?, in response: Response
    ) async throws(Failure) {
        guard let roots = response.demands.androidRoots else { throw .refused("notConfigured") }
        guard let point = verified.onlyCredential?.key.p256Point else { throw .refused("keyKind") }
        guard
            let requirement = response.demands.androidRequirement(
                publicKey: point, challenge: challengeHash, at: response.receivedAt)
        else { throw .refused("notConfigured") }
        do throws(AndroidRefusal) {
            _ = try await AndroidKeyProof(certificates, meeting: requirement, endingAt: roots, at: response.time)
        } catch {
            throw .refused(error.word)
        }
    }
}

extension VerificationKey {
    /// The point of a key on P-256, uncompressed (65 bytes, X9.63); nil for another key.
    fileprivate var p256Point: [UInt8]? {
        switch format {
        case .eccX962Raw: (try? P256.Signing.PublicKey(x963Representation: octets))?.x963Representation.map(\.self)
        case .eccX962DER: (try? P256.Signing.PublicKey(derRepresentation: octets))?.x963Representation.map(\.self)
        default: nil
        }
    }
}
