import BackendAPI
import BackendTransport
import Octets
import StrictJSON

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
    /// Copy of the object with another value for a member that it has.
    func replacing(_ name: String, with value: JSONValue) -> JSONObject {
        JSONObject(
            distinct: members.map { member in
                member.name.hasSameOctets(as: name) ? Member(member.name, value) : member
            })
    }
}
