import Crypto
import HardwareKeys
import Octets
package import UAF

/// Signs an authentication, or a transaction the user was shown (FIDO UAF Authenticator Commands 1.1, 6.3.4).
///
/// The PIN leads to the secret that the vault asks for before it signs: there is no way from "verified" to a signature
/// but through it (SDK-9, SEC-20).
package struct SignCommand: Sendable {
    private static let nonceByteCount = 32

    /// What is to be signed.
    package struct Order: Hashable, Sendable {
        /// With which key.
        package let credential: CredentialID
        /// For whom.
        package let access: KeyAccess
        /// What the signature answers.
        package let challenge: FinalChallengeParameters
        /// The decoded content of the transaction, exactly the bytes that the user was shown; nil for none.
        package let transaction: [UInt8]?

        /// Orders a signature.
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

    /// Works with a store and a vault.
    package init(_ ports: AuthenticatorPorts) {
        self.ports = ports
    }

    /// Checks the PIN and returns the authentication assertion (TLV).
    ///
    /// Throws ``AuthenticatorError/wrongSecret(attemptsLeft:coolDown:)``,
    /// ``AuthenticatorError/coolingDown(attemptsLeft:coolDown:)``, ``AuthenticatorError/lockedOut``,
    /// ``AuthenticatorError/accessDenied`` for a key that is not there or not for this caller,
    /// ``AuthenticatorError/keyDisappearedPermanently`` and the errors of derivation, store and vault.
    package func perform(_ order: Order, pin: borrowing PIN) async throws(AuthenticatorError) -> [UInt8] {
        let data = try signedData(order)
        let signature = try await UserVerifier(ports).use(order.credential, for: order.access, pin: pin) {
            vault, key, secret throws(KeyVaultError) in
            try await vault.sign(data.octets, with: key, authorizedBy: .secret(secret))
        }
        do {
            return try AuthenticationAssertion(
                signedData: data, signature: P256.Signing.ECDSASignature.der(ofRaw: signature)
            ).encoded()
        } catch {
            throw .keyDisappearedPermanently
        }
    }

    private func signedData(_ order: Order) throws(AuthenticatorError) -> SignedData {
        do {
            return try SignedData(
                credential: order.credential,
                info: AssertionInfo(mode: order.transaction == nil ? .userVerified : .transactionConfirmed),
                nonce: FreshOctets.make(count: Self.nonceByteCount),
                hashes: BoundHashes(
                    finalChallenge: order.challenge.hash,
                    transactionContent: order.transaction.map { Array(SHA256.hash(data: $0)) } ?? []),
                signCounter: 0)
        } catch {
            throw .keyDisappearedPermanently
        }
    }
}
