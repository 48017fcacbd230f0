import BackendAPI
import BackendTransport
import Octets
import StrictJSON
import Synchronization
import UAF

/// Transport of a network attacker, who changes or repeats the messages that pass through it.
protocol HostileCarrier: HTTPTransport {
    /// UAF status of the server's latest response to a UAF response of the phone; nil before the first one.
    var lastStatus: Int? { get }
}

/// Replay attacker: passes an authentication through, sends the same response with its cookies a second time, and keeps
/// the server's UAF status for the replay.
final class ReplayingCarrier: HostileCarrier {
    private let carrier: any HTTPTransport
    private let verdict = LastVerdict()

    init(over carrier: any HTTPTransport) {
        self.carrier = carrier
    }

    var lastStatus: Int? { verdict.status }

    func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        let response = try await carrier.response(to: request)
        guard (try? SendUAFResponse(body: request.body)) != nil else { return response }
        let second = try await carrier.response(to: request)
        verdict.note(second)
        return response
    }
}

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

/// Attacker who splices challenges: replaces the challenge of one user's authentication request by one that the server
/// issued for another user, so that the first user's key signs it, and keeps the server's UAF status.
final class SplicingCarrier: HostileCarrier {
    private let carrier: any HTTPTransport
    private let user: String
    private let victim: String
    private let verdict = LastVerdict()

    init(over carrier: any HTTPTransport, user: String, victim: String) {
        self.carrier = carrier
        self.user = user
        self.victim = victim
    }

    var lastStatus: Int? { verdict.status }

    func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        let response = try await carrier.response(to: request)
        if (try? SendUAFResponse(body: request.body)) != nil {
            verdict.note(response)
            return response
        }
        guard let own = try? ReturnUAFRequest(body: response.body), own.uafRequest != nil else { return response }
        var foreign = request
        foreign.body = Array(String(decoding: request.body, as: UTF8.self).replacing(user, with: victim).utf8)
        let other = try await carrier.response(to: foreign)
        guard let theirs = try? ReturnUAFRequest(body: other.body), let spliced = Self.splice(own, theirs) else {
            return response
        }
        // With the other user's session cookie, because otherwise the server would refuse for the missing session.
        return BackendResponse(
            status: other.status, headers: other.headers, body: spliced.body, connection: other.connection)
    }

    /// Copy of the own request with challenge and server data of the other one.
    private static func splice(_ own: ReturnUAFRequest, _ other: ReturnUAFRequest) -> ReturnUAFRequest? {
        guard let operation = own.operation, let mine = element(of: own), let theirs = element(of: other),
            case .object(let myHeader)? = mine["header"], case .object(let theirHeader)? = theirs["header"],
            let challenge = theirs["challenge"], let serverData = theirHeader["serverData"]
        else { return nil }
        let header = myHeader.replacing("serverData", with: serverData)
        let element = mine.replacing("header", with: .object(header)).replacing("challenge", with: challenge)
        return ReturnUAFRequest(
            uafRequest: JSONWriter.text(.array([.object(element)])), operation: operation,
            lifetimeMillis: own.lifetimeMillis)
    }

    private static func element(of answer: ReturnUAFRequest) -> JSONObject? {
        guard let text = answer.uafRequest, case .array(let elements)? = try? JSONParser.parse(text),
            case .object(let element)? = elements.first
        else { return nil }
        return element
    }
}

extension JSONObject {
    func replacing(_ name: String, with value: JSONValue) -> JSONObject {
        JSONObject(
            distinct: members.map { member in
                member.name.hasSameOctets(as: name) ? Member(member.name, value) : member
            })
    }
}

final class LastVerdict: Sendable {
    private let code = Mutex<Int?>(nil)

    /// The UAF status; nil before the first response, and when the latest one was not a response to a UAF response.
    var status: Int? { code.withLock { $0 } }

    func note(_ answer: BackendResponse) {
        let status = (try? ServerResponse(body: answer.body)).map { Int($0.statusCode.rawValue) }
        code.withLock { $0 = status }
    }
}
