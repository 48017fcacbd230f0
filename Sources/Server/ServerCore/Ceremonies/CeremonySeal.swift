import Octets
import UAF

/// Turns the state of a ceremony into `serverData` and back.
///
/// The text is encrypted and authenticated (AES-256-GCM); a phone, or whoever sits between, can neither read nor change
/// it. What an attacker could try is to send it again, which the consumption of challenges stops.
struct CeremonySeal: Sendable {
    /// The text is forged, of another server, or sealed with a key that is gone.
    struct Refusal: Error, Hashable {}

    private static let version: UInt8 = 1

    private let keys: KeyService
    private let random: any RandomSource

    init(keys: KeyService, random: any RandomSource) {
        self.keys = keys
        self.random = random
    }

    func seal(_ state: CeremonyState) throws(ServerError) -> ServerData {
        let key = try keys.current(.serverData)
        let prefix = [Self.version] + key.id.octets
        let nonce = random.bytes(count: AuthenticatedEncryption.nonceByteCount)
        let sealed = AuthenticatedEncryption.seal(state.octets, key: key.material, nonce: nonce, binding: prefix)
        guard let text = ServerData(Base64URL.encode(prefix + sealed)) else {
            // Only an appID beyond ASCII could be that long; `ServerServices` refuses it at the start.
            throw .invalidSetting(name: "appID")
        }
        return text
    }

    func open(_ serverData: ServerData) throws(Refusal) -> CeremonyState {
        let prefixCount = 1 + ServerKeyID.byteCount
        guard let bytes = try? Base64URL.decode(serverData.text), bytes.count > prefixCount, bytes[0] == Self.version,
            let id = ServerKeyID(bytes[1..<prefixCount]), let key = keys.key(id, .serverData)
        else { throw Refusal() }
        let binding = Array(bytes.prefix(prefixCount))
        guard
            let plaintext = try? AuthenticatedEncryption.open(
                bytes.dropFirst(prefixCount), key: key.material, binding: binding),
            let state = try? CeremonyState(octets: plaintext)
        else { throw Refusal() }
        return state
    }
}
