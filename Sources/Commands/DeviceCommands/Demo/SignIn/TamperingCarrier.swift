import BackendAPI
import BackendTransport
import Octets
import StrictJSON

/// Tampering attacker: flips one bit of the signature in the phone's response, and keeps the server's UAF status.
final class TamperingCarrier: HostileCarrier {
    private let carrier: any HTTPTransport
    private let verdict = LastVerdict()

    init(over carrier: any HTTPTransport) {
        self.carrier = carrier
    }

    var lastStatus: Int? { verdict.status }

    func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        guard let answer = try? SendUAFResponse(body: request.body), let changed = Self.change(answer.uafResponse)
        else {
            return try await carrier.response(to: request)
        }
        var tampered = request
        tampered.body = SendUAFResponse(uafResponse: changed).body
        let response = try await carrier.response(to: tampered)
        verdict.note(response)
        return response
    }

    /// The message with one bit of the last byte of its assertion flipped; nil when it contains no assertion.
    private static func change(_ message: String) -> String? {
        guard case .array(let elements)? = try? JSONParser.parse(message), case .object(let element)? = elements.first,
            case .array(let assertions)? = element["assertions"], case .object(let first)? = assertions.first,
            case .string(let text)? = first["assertion"], var octets = try? Base64URL.decode(text), !octets.isEmpty
        else { return nil }
        octets[octets.count - 1] ^= 0x01
        let assertion = first.replacing("assertion", with: .string(Base64URL.encode(octets)))
        let changed = element.replacing("assertions", with: .array([.object(assertion)]))
        return JSONWriter.text(.array([.object(changed)]))
    }
}
