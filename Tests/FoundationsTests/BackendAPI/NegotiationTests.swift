import BackendAPI
import Testing

@Suite("Media types and Accept (RFC 9110, 8.3 and 12.5.1)")
struct NegotiationTests {
    @Test(
        "A request body of the right type is taken, whatever its case, with UTF-8 or no charset",
        arguments: [
            "application/fido+uaf", "application/fido+uaf;charset=UTF-8", "Application/FIDO+UAF ; Charset=\"utf-8\"",
            "application/fido+uaf;charset=utf-8;", "application/fido+uaf; x=y",
        ])
    func contentType(field: String) throws {
        #expect(try Endpoint.registrationRequest.requestType(contentType: field) == .fidoUAF)
    }

    @Test("Another charset is told apart from another type", arguments: ["utf-16", "iso-8859-1", "\"\""])
    func charset(name: String) {
        let error = #expect(throws: BackendAPIError.unsupportedCharset) {
            try Endpoint.registrationRequest.requestType(contentType: "application/fido+uaf;charset=\(name)")
        }
        #expect(error?.answer == .http(status: 415))
    }

    @Test(
        "A missing, malformed or other type is refused",
        arguments: [
            nil, "", "application/json", "text/plain", "application/fido+uafx", "application", "application/",
            "/fido+uaf", "application/fido+uaf, text/plain", "application/fido+uaf;charset",
            "application/fido+uaf;charset=utf-8;charset=utf-16", "application/fido+uaf;charset=\"utf-8",
            "application /fido+uaf", "application/x-www-form-urlencoded",
            // A character that Unicode takes for a semicolon.
            "application/fido+uaf\u{37E}charset=UTF-8",
        ])
    func refusedContentType(field: String?) {
        #expect(throws: BackendAPIError.unsupportedMediaType) {
            try Endpoint.registrationRequest.requestType(contentType: field)
        }
    }

    @Test(
        "An Accept field that covers the answer is taken",
        arguments: [
            nil, "", "*/*", "application/*", "application/fido+uaf", "application/fido+uaf;charset=UTF-8",
            "text/html, application/fido+uaf;q=0.1", "APPLICATION/FIDO+UAF", ",, */* ,", "*/*;q=0.001",
            "application/fido+uaf;q=1.000;ext=1",
        ])
    func accept(field: String?) throws {
        #expect(try Endpoint.registrationRequest.responseType(accept: field) == .fidoUAF)
    }

    @Test(
        "An Accept field whose ranges cover nothing is refused, whatever stands beside them that cannot be read",
        arguments: [
            "text/html", "application/json", "*/*;q=0", "application/fido+uaf;q=0, */*", "*/*; q=.0",
            "application/fido+uaf;q=0.0001", "*/json", "application/fido+uaf;charset=utf-16",
            "application/fido+uaf;level=1", "text/html, *", "*; q=.2, text/html;q=0.5", "text/html, a/b c/d, \"",
        ])
    func refusedAccept(field: String) {
        let error = #expect(throws: BackendAPIError.notAcceptable) {
            try Endpoint.registrationRequest.responseType(accept: field)
        }
        #expect(error?.answer == .http(status: 406))
    }

    @Test(
        "Ranges and weights that cannot be read are ignored; without any that can it is as if there were no field",
        arguments: [
            // What java.net.HttpURLConnection sends by itself up to Java 18.
            "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "text/html, *;q=x, application/*", "*",
            "application",
            "a/b c/d, */*", "a/b c/d", "application/fido+uaf;q=2", "application/fido+uaf;q=x", "*/*;q=",
            "*/*;q=0.12345",
            "/;\", application/fido+uaf", ";, */*", "application/fido+uaf\u{37E}charset=UTF-8",
        ])
    func unreadableRanges(field: String) throws {
        #expect(try Endpoint.registrationRequest.responseType(accept: field) == .fidoUAF)
    }

    @Test("Of several types the client's weight decides, then the server's order")
    func preference() throws {
        let endpoint = Endpoint.fidoLogin
        #expect(try endpoint.responseType(accept: nil) == .json)
        #expect(try endpoint.responseType(accept: "application/fido+uaf, application/json") == .json)
        #expect(try endpoint.responseType(accept: "application/fido+uaf, application/json;q=0.9") == .fidoUAF)
        #expect(try endpoint.responseType(accept: "application/fido+uaf") == .fidoUAF)
        #expect(try Endpoint.facets.responseType(accept: "application/json") == .json)
    }

    @Test("What a client sends is what the services take")
    func clientTypes() throws {
        for endpoint in Endpoint.services where endpoint.method == .post && !endpoint.requestTypes.isEmpty {
            let types = endpoint.clientTypes
            let content = try #require(types.content)
            #expect(try endpoint.requestType(contentType: content.fieldValue) == content)
            let accept = try #require(types.accept)
            #expect(try endpoint.responseType(accept: accept.essence) == accept)
        }
        #expect(MediaType.fidoUAF.fieldValue == "application/fido+uaf;charset=UTF-8")
    }

    @Test("Every path is served with and without a slash, and none twice")
    func paths() {
        let paths = Endpoint.services.flatMap { endpoint in endpoint.serverPaths.map { "\(endpoint.method) \($0)" } }
        #expect(Set(paths).count == paths.count)
        #expect(Endpoint.registrationRequest.clientPath == "/uaf/1.1/request/registration/")
        #expect(
            Endpoint.registrationRequest.serverPaths == [
                "/nevisfido/uaf/1.1/request/registration", "/nevisfido/uaf/1.1/request/registration/",
                "/_app/uaf/1.1/request/registration", "/_app/uaf/1.1/request/registration/",
            ])
        #expect(Endpoint.fidoLogin.serverPaths == ["/auth/fidouaf", "/auth/fidouaf/"])
    }
}
