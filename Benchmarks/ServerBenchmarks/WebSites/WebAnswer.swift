import BackendAPI
import NIOCore
import NIOHTTP1
import StrictJSON

/// Answer to one step of a browser or a web site, with its parts as far as they are right.
struct WebAnswer {
    /// Octets of a body that are repeated in an error.
    private static let shownByteCount = 300

    /// Name of the step.
    let step: String
    /// Octets of the body.
    let body: [UInt8]
    private let status: UInt
    private let headers: HTTPHeaders

    /// Takes the answer to a step.
    init(_ response: NIOHTTPClientResponseFull, to step: String) {
        self.step = step
        status = response.head.status.code
        headers = response.head.headers
        body = response.body.map { Array($0.readableBytesView) } ?? []
    }

    /// Failure of the step, which says what came instead of what is `missing`.
    func failure(_ missing: String) -> BenchmarkFailure {
        let text = String(decoding: body.prefix(Self.shownByteCount), as: UTF8.self)
        let place = headers.first(name: "Location").map { ", to \($0)" } ?? ""
        return .wrongAnswer(step: step, came: "no \(missing), but status \(status)\(place): \(text)")
    }

    // MARK: - Parts

    /// The answer itself; throws for another status.
    func having(_ status: HTTPResponseStatus) throws(BenchmarkFailure) -> WebAnswer {
        guard self.status == status.code else { throw failure("status \(status.code)") }
        return self
    }

    /// Address to which the browser is sent.
    func location() throws(BenchmarkFailure) -> String {
        guard let location = headers.first(name: "Location") else { throw failure("Location") }
        return location
    }

    /// A cookie of the answer as a browser sends it back, `name=value`.
    func cookie(_ name: String) throws(BenchmarkFailure) -> String {
        let fields = headers["Set-Cookie"].filter { $0.hasPrefix(name + "=") }
        guard let field = fields.first else { throw failure("cookie \(name)") }
        return String(field.prefix { $0 != ";" })
    }

    /// Text of the body from behind `start` to the next quotation mark.
    func value(after start: String) throws(BenchmarkFailure) -> String {
        let (body, start) = (body[...], Array(start.utf8))
        guard let begin = body.firstRange(of: start)?.upperBound,
            let end = body[begin...].firstIndex(of: UInt8(ascii: "\""))
        else { throw failure("value behind \(String(decoding: start, as: UTF8.self))") }
        return String(decoding: body[begin..<end], as: UTF8.self)
    }

    /// A member of the body, which is a JSON object, as a text.
    func text(_ name: String) throws(BenchmarkFailure) -> String {
        guard let members = try? JSONParser.parse(body).asObject(), let text = try? members.string(name), !text.isEmpty
        else { throw failure("member \(name)") }
        return text
    }
}

extension PhoneConnection {
    /// Sends a GET of a browser to `path`, and has to get the status 200 or another one.
    func get(
        _ endpoint: Endpoint, _ path: String, _ further: HTTPHeaders = [:], status: HTTPResponseStatus = .ok
    ) async throws -> WebAnswer {
        var fields = Self.types(of: endpoint)
        fields.add(contentsOf: further)
        return try WebAnswer(try await exchange(.GET, path, fields, nil), to: "GET \(endpoint.path)").having(status)
    }

    /// Sends a form, and has to get the status 200 or another one.
    func post(
        _ form: WebForm, to endpoint: Endpoint, at path: String, _ further: HTTPHeaders = [:],
        status: HTTPResponseStatus = .ok
    ) async throws -> WebAnswer {
        var fields = Self.types(of: endpoint)
        fields.add(contentsOf: further)
        let step = "POST \(endpoint.path)" + form.purpose
        return try WebAnswer(try await exchange(.POST, path, fields, Array(form.text.utf8)), to: step).having(status)
    }
}
