import Authenticators
import BackendAPI
import HardwareKeys
import UAFClient

/// Exchange in which the chip of this device shows a server that it holds an attestation key.
///
/// It sends the certificate of the chip, which tells this device from all others; so it is only begun for a server whose
/// request demands attested keys. The key is made anew for each registration and kept nowhere.
struct AttestationExchange: Sendable {
    private let environment: ClientEnvironment
    private let exchange: BackendExchange
    private let server: ServerAddress

    init(_ environment: ClientEnvironment, _ exchange: BackendExchange, with server: ServerAddress) {
        self.environment = environment
        self.exchange = exchange
        self.server = server
    }

    /// The attestation key with the proof of the server; nil where this device has no chip that could prove it, and where
    /// the server does not take the chip: it then judges the new key as it is.
    ///
    /// Throws the failure of a server that is out of reach.
    func provedAttester() async throws(CeremonyFailure) -> ProvedAttester? {
        do {
            guard let attester = try await environment.keys.makeAttester() else {
                note("No chip can attest these keys.")
                return nil
            }
            return ProvedAttester(attester, proof: try await proof(of: attester))
        } catch let error as KeyVaultError {
            note("The chip cannot attest its keys.", error.description)
            return nil
        } catch let error as HTTPStatusError where !error.isTemporary {
            note("The server does not accept this chip.", String(error.statusCode))
            return nil
        } catch {
            throw .unreachable(error)
        }
    }

    private func proof(of attester: any KeyAttester) async throws -> [UInt8] {
        let request = AttestationEnrolment.Request(
            certificates: [attester.endorsementCertificate], attestationKey: attester.publicArea)
        let credential: AttestationEnrolment.Credential = try await exchange.answer(
            to: request, at: resource(.attestationCredential))
        let secret = try await attester.recover(credential.credential, encryptedSeed: credential.encryptedSeed)
        let answer = AttestationEnrolment.Answer(
            enrolment: credential.enrolment, secret: secret.withUnsafeBytes { Array($0) })
        let proof: AttestationEnrolment.Proof = try await exchange.answer(
            to: answer, at: resource(.attestationProof))
        return proof.proof
    }

    private func resource(_ endpoint: Endpoint) -> BackendResource {
        BackendResource(server: server, path: environment.configuration.path(of: endpoint))
    }

    private func note(_ text: String, _ cause: String? = nil) {
        let message = "The server demands keys in a chip. " + text
        environment.logger.log(.notice, .operation, message, cause.map { [SDKLogField.open("cause", $0)] } ?? [])
    }
}
