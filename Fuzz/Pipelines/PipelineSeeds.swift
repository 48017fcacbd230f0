package import BackendAPI

/// Seed requests for fuzzing a pipeline.
package enum PipelineSeeds {
    /// One request that its route accepts, for each endpoint of the service listener.
    package static let service: [[UInt8]] = Endpoint.services.filter { !managed.contains($0) }.map(request)

    static let management: [[UInt8]] = [Endpoint.liveness, .health, .metrics].map(request)

    static let pushSink: [[UInt8]] = [
        octets("POST", "/sink/devices", [], ""), octets("DELETE", "/sink/devices/a", [], ""),
        octets("GET", "/sink/devices/a/messages?after=0&wait=0", [], ""), octets("GET", "/sink/messages", [], ""),
        octets("POST", "/sink/access-tokens/revoke", [], ""),
        octets(
            "POST", "/sink/behaviour", [json],
            #"{"answer":"unavailable","registrationToken":"a","count":1,"retryAfterSeconds":2,"delayMilliseconds":3}"#),
        octets(
            "POST", "/v1/projects/a/messages:send", [json, "Authorization: Bearer a"],
            #"{"validate_only":true,"message":{"token":"a","data":{"b":"c"},"android":{"ttl":"120s"},"#
                + #""apns":{"headers":{"apns-expiration":"1"}}}}"#),
        octets(
            "POST", "/token", ["Content-Type: application/x-www-form-urlencoded"],
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=eyJhbGciOiJSUzI1NiJ9.e30.AA"),
    ]

    /// Variants of framing and header fields that servers and proxies interpret differently (RFC 9112 sections 2.2, 5,
    /// 6 and 7).
    static func framing(_ path: String) -> [[UInt8]] {
        let chunked = "Transfer-Encoding: chunked"
        let second = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        let bodies: [(fields: [String], body: String)] = [
            ([chunked], "2\r\n{}\r\n0\r\n\r\n"), ([chunked], "2;a=b\r\n{}\r\n0\r\nTrailer: c\r\n\r\n"),
            ([chunked], "-1\r\n{}\r\n0\r\n\r\n"), ([chunked], "FFFFFFFFFFFFFFFFF\r\n{}\r\n"),
            ([chunked], "8000000000000000\r\n{}\r\n"), ([chunked], "zz\r\n{}\r\n0\r\n\r\n"),
            ([chunked], "2\n{}\n0\n\n"), ([chunked], "2\r\n{}"), ([chunked, chunked], "2\r\n{}\r\n0\r\n\r\n"),
            (["Transfer-Encoding: gzip, chunked"], "2\r\n{}\r\n0\r\n\r\n"), (["Transfer-Encoding: cow"], "{}"),
            (["Transfer-Encoding: chunked, identity"], "2\r\n{}\r\n0\r\n\r\n"),
            ([chunked, "Content-Length: 2"], "2\r\n{}\r\n0\r\n\r\n"), (["Content-Length: 2", chunked], "{}" + second),
            (["Content-Length: 2", "Content-Length: 2"], "{}"), (["Content-Length: 2", "Content-Length: 3"], "{} "),
            (["Content-Length: 2, 2"], "{}"), (["Content-Length: +2"], "{}"), (["Content-Length: -1"], ""),
            (["Content-Length: 99999999999999999999"], "{}"), (["Content-Length: 65537"], "{}"),
            (["Content-Length: 2", "Content-Encoding: gzip"], "{}"),
            (["Content-Length: 2", "Expect: 100-continue"], "{}"),
            (["Content-Length: 2", "Connection: close"], "{}" + second), (["Content-Length: 2"], "{}" + second),
            (["Content-Length: 2", "Connection: Upgrade", "Upgrade: h2c"], "{}"),
            (["Content-Length: 2", "X: a\r\n b"], "{}"), (["Content-Length : 2"], "{}"),
            (["Content-Length: 2", ": a"], "{}"),
        ]
        let raw = [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /?a HTTP/1.1\r\nHost: a\r\n\r\n", "GET  HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
            "GET / HTTP/0.9\r\n\r\n", "GET /\r\n", "GET / HTTP/2.0\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "GET / HTTP/1.1\nHost: a\n\n", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
            "GET https://a/ HTTP/1.1\r\nHost: b\r\n\r\n", "GET /%00%2F..%ff HTTP/1.1\r\nHost: a\r\n\r\n",
            "\u{16}\u{3}\u{1}", "",
        ].map { Array($0.utf8) }
        return bodies.map { octets("POST", path, [json] + $0.fields, $0.body, isFramed: true) } + raw
    }

    // MARK: - Requests

    private static let managed: [Endpoint] = [.liveness, .health, .metrics]
    private static let json = "Content-Type: application/json"

    /// Request with everything that the endpoint requires.
    package static func request(_ endpoint: Endpoint) -> [UInt8] {
        var path = (endpoint.roots.first ?? "") + endpoint.path(naming: "d")
        if endpoint == .dispatchTargets { path += "?username=anna" }
        if endpoint == .applicationVersion { path += "?facet=ios:bundle-id:a&version=1.0" }
        var fields = ["Authorization: Bearer \(FuzzedPipeline.accessKey)"]
        if !isPortals(endpoint) { fields = ["Cookie: __Host-signet=\(FuzzedPipeline.sessionMark)"] }
        let types = endpoint.clientTypes
        if let content = types.content { fields.append("Content-Type: \(content.fieldValue)") }
        if let accept = types.accept { fields.append("Accept: \(accept.fieldValue)") }
        if endpoint.requestTypes.isEmpty && endpoint.parameter != nil {
            fields.append("\(Endpoint.deviceSignatureField): \(PipelineBodies.deviceSignature)")
        }
        return octets(
            endpoint.method.rawValue, path, fields,
            endpoint.requestTypes.isEmpty ? "" : PipelineBodies.body(of: endpoint))
    }

    private static func isPortals(_ endpoint: Endpoint) -> Bool {
        endpoint == .status || endpoint == .dispatchTargets || endpoint.path.hasPrefix("/token/create")
            || endpoint.path.hasPrefix("/token/dispatch/") && endpoint.path != Endpoint.createDispatchTarget.path
    }

    private static func octets(
        _ method: String, _ path: String, _ fields: [String], _ body: String, isFramed: Bool = false
    ) -> [UInt8] {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: login.example.com"] + fields
        if !isFramed && (!body.isEmpty || method == "POST") { lines.append("Content-Length: \(body.utf8.count)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }
}
