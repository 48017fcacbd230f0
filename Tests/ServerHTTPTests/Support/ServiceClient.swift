import HTTPTypes
import HummingbirdTesting
import NIOCore
import StrictJSON

/// What a phone or an application sends, with the headers that belong to it.
struct ServiceClient: Sendable {
    let client: any TestClientProtocol

    static let uaf = "application/fido+uaf;charset=UTF-8"
    static let form = "application/x-www-form-urlencoded;charset=utf-8"

    /// Posts a body; `headers` replace the usual ones.
    func post(
        _ path: String, _ body: [UInt8], type: String? = uaf, accept: String? = "application/fido+uaf",
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var fields = HTTPFields()
        fields[.contentType] = type
        fields[.accept] = accept
        for field in headers { fields[field.name] = field.value }
        return try await client.execute(
            uri: path, method: .post, headers: fields, body: ByteBuffer(bytes: body))
    }

    /// Posts text.
    func post(
        _ path: String, _ body: String, type: String? = uaf, accept: String? = "application/fido+uaf",
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        try await post(path, Array(body.utf8), type: type, accept: accept, headers: headers)
    }

    /// Logs in with a password and returns the session cookie as a client sends it back.
    func logIn(_ name: String = "anna", password: String = ServerFixture.password) async throws -> String {
        let answer = try await post(
            "/auth/pwd", "isiwebuserid=\(name)&isiwebpasswd=\(password.replacing(" ", with: "+"))", type: Self.form,
            accept: "application/json")
        return answer.cookie
    }
}

extension TestResponse {
    /// The body as a JSON object, an empty one when it is none.
    var object: JSONObject {
        let bytes = Array(body.readableBytesView)
        return (try? JSONParser.parse(bytes).asObject()) ?? JSONObject(distinct: [])
    }

    /// The UAF status code in the body.
    var uafStatus: Int? {
        try? object.required("statusCode") { value throws(JSONTypeError) in try value.asInteger(Int.self) }
    }

    /// The first cookie that is set, as a client sends it back; empty without one.
    var cookie: String {
        String(headers[.setCookie]?.prefix { $0 != ";" } ?? "")
    }

    /// The whole number of a member.
    func number(_ member: String) throws -> Int64 {
        try object.required(member) { value throws(JSONTypeError) in try value.asInt64() }
    }

    /// The text of a member.
    func text(_ member: String) throws -> String {
        try object.required(member) { value throws(JSONTypeError) in try value.asString() }
    }
}
