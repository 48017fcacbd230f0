import Crypto
package import HardwareKeys
import Octets
package import UAF

/// Assertion signing: for an authentication, or a transaction the user was shown.
///
/// The Sign command of FIDO UAF Authenticator Commands 1.1, 6.3.4.
///
/// PIN or password lead to the secret that the vault asks for before it signs, and what the operating system verified
/// to a proof for the gate of the key: there is no way from "verified" to a signature but through it.
package struct AssertionSigning: Sendable {
    private static let nonceByteCount = 32

    /// Parameters of a signature.
    package struct Parameters: Hashable, Sendable {
        package let credential: CredentialID
        package let access: KeyAccess
        /// Final challenge parameters whose hash is signed.
        package let challenge: FinalChallengeParameters
        /// The decoded content of the transaction, exactly the bytes that the user was shown; nil for none.
        package let transaction: [UInt8]?

        package init(
            credential: CredentialID, access: KeyAccess, challenge: FinalChallengeParameters,
            transaction: [UInt8]? = nil
        ) {
            self.credential = credential
            self.access = access
            self.challenge = challenge
            self.transaction = transaction
        }
    }

    private let ports: AuthenticatorPorts

    package init(_ ports: AuthenticatorPorts) { self.ports = ports }

    /// Checks the PIN or password and returns the authentication assertion (TLV).
    ///
    /// Throws ``AuthenticatorError/wrongSecret(attemptsLeft:coolDown:)``,
    /// ``AuthenticatorError/coolingDown(attemptsLeft:coolDown:)``, ``AuthenticatorError/lockedOut``,
    /// ``AuthenticatorError/wrongUse`` for a secret of another kind than the authenticator,
    /// ``AuthenticatorError/accessDenied`` for a key that is not there or not for this caller,
    /// ``AuthenticatorError/algorithmNotSupported`` for one of an algorithm that this version does not know,
    /// ``AuthenticatorError/keyDisappearedPermanently``, ``AuthenticatorError/notEncodable`` and the errors of
    /// derivation, store and vault.
    package func perform(_ parameters: Parameters, secret: borrowing UserSecret) async throws(AuthenticatorError)
        -> [UInt8]
    {
        let (data, algorithm) = try await signedData(parameters)
        let signature = try await SecretVerifier(ports).use(
            parameters.credential, for: parameters.access, entry: secret
        ) {
            vault, key, secret throws(KeyVaultError) in
            try await vault.sign(data.octets, with: key, authorizedBy: .secret(secret))
        }
        return try assertion(data, signature, algorithm)
    }

    /// Has the operating system verify the user and returns the authentication assertion (TLV).
    ///
    /// Throws ``AuthenticatorError/presence(_:)``, ``AuthenticatorError/wrongUse`` for an authenticator with a PIN or
    /// password, ``AuthenticatorError/accessDenied``, and ``AuthenticatorError/keyDisappearedPermanently`` after the
    /// credential was marked unusable, when what is enrolled has changed or the device has no lock any more.
    package func perform(
        _ parameters: Parameters, confirmedBy prompt: PresencePrompt
    ) async throws(AuthenticatorError) -> [UInt8] {
        let (data, algorithm) = try await signedData(parameters)
        let signature = try await PresenceVerifier(ports).use(parameters.credential, for: parameters.access, prompt) {
            vault, key, proof throws(KeyVaultError) in
            try await vault.sign(data.octets, with: key, authorizedBy: proof)
        }
        return try assertion(data, signature, algorithm)
    }

    private func assertion(
        _ data: SignedData, _ signature: [UInt8], _ algorithm: AssertionAlgorithm
    ) throws(AuthenticatorError) -> [UInt8] {
        do {
            return try AuthenticationAssertion(
                signedData: data, signature: algorithm.encodedSignature(signature)
            ).encoded()
        } catch {
            throw .notEncodable
        }
    }

    private func signedData(
        _ parameters: Parameters
    ) async throws(AuthenticatorError) -> (data: SignedData, algorithm: AssertionAlgorithm) {
        let stored = try await CredentialAccess(ports).usable(
            parameters.credential, for: parameters.access, statingServer: parameters.challenge.serverBinding != nil)
        guard let algorithm = AssertionAlgorithm(stored.credential.algorithm) else { throw .algorithmNotSupported }
        do {
            let data = try SignedData(
                credential: parameters.credential,
                info: AssertionInfo(
                    mode: parameters.transaction == nil ? .userVerified : .transactionConfirmed, algorithm),
                nonce: FreshOctets.make(count: Self.nonceByteCount),
                hashes: BoundHashes(
                    finalChallenge: parameters.challenge.hash,
                    transactionContent: parameters.transaction.map { Array(SHA256.hash(data: $0)) } ?? []),
                signCounter: 0)
            return (data, algorithm)
        } catch {
            throw .notEncodable
        }
    }
}
