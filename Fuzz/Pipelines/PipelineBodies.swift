import BackendAPI
import UAF

/// Well-formed body for each endpoint that takes one.
enum PipelineBodies {
    /// Compact JWS over a device request, whose signing key does not exist.
    static let deviceSignature = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6IjNiNGQifQ.eyJkaXNwYXRjaFRhcmdldElkIjoiM2I0ZCIsInJlcXVlc3RJZCI6InItMSIsI\
        mNyZWF0aW9uVGltZUluRXBvY2hNaWxsaXMiOjE3Njk4NjA4MDAwMDB9.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        """

    private static let change = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6IjNiNGQifQ.eyJkaXNwYXRjaFRhcmdldElkIjoiM2I0ZCIsInJlcXVlc3RJZCI6InItMSIsI\
        mNyZWF0aW9uVGltZUluRXBvY2hNaWxsaXMiOjE3Njk4NjA4MDAwMDAsImF1ZCI6Imh0dHBzOi8vZXhhbXBsZS5jb20vbmV2aXNma\
        WRvL2RldmljZXMvY3JlZGVudGlhbHMvZCIsImh0bSI6IlBBVENIIiwicmVtb3ZlIjpbeyJ1c2VybmFtZSI6ImplZmYifV19.AAAA\
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        """

    private static let header = """
        \\"header\\":{\\"upv\\":{\\"major\\":1,\\"minor\\":1},\\"op\\":\\"OP\\",\\"serverData\\":\\"c2Vy\\",\
        \\"appID\\":\\"https://login.example.com/nevisfido/uaf/1.1/facets\\"}
        """

    private static let key = """
        {"kty":"EC","crv":"P-256","x":"MYgMobFIdIJBzJaoXPttuNZ3VbxI7ZqJLLz1atvR3w8",\
        "y":"B_DqrMZpReTCHJZqmqrQf-uehprA01V3rB59F-pAreM","use":"USE","kid":"k"
        """

    /// Body that the endpoint can parse, for the user `anna`.
    static func body(of endpoint: Endpoint) -> String {
        switch endpoint {
        case .passwordLogin: return "isiwebuserid=anna&isiwebpasswd=wrong"
        case .fidoLogin: return #"{"username":"anna"}"#
        case .registrationResponse: return response("Reg")
        case .authenticationResponse, .fidoLoginResponse, .formerFIDOLoginResponse, .conformanceRespond:
            return response("Auth")
        case .attestationCredential: return #"{"certificates":["MIIB"],"attestationKey":"ACMACwAF"}"#
        case .attestationProof: return #"{"enrolment":"RQAA","secret":"AAAA"}"#
        case .status: return #"{"sessionId":"77aa","knownStatus":"tokenCreated","waitMillis":0}"#
        case .createDispatchTarget: return target
        case .changeDispatchTarget, .changeDevice: return change
        default: break
        }
        if endpoint.path.hasPrefix("/token/redeem/") { return #"{"token":"0c2f0c2f-0c2f-0c2f-0c2f-0c2f0c2f0c2f"}"# }
        let request = request(operation(of: endpoint))
        guard endpoint.path.hasPrefix("/token/dispatch/") else { return request }
        return #"{"dispatcher":"link","dispatchInformation":{"data":{"a":1}},"getUafRequest":\#(request)}"#
    }

    private static func operation(of endpoint: Endpoint) -> OperationKind {
        OperationKind.allCases.first { endpoint.path.hasSuffix("/" + $0.pathName) } ?? .authentication
    }

    private static func request(_ operation: OperationKind) -> String {
        // Only the context of a deregistration has a mode; the others ignore unknown members.
        #"{"op":"\#(operation.rawValue)","context":"{\"username\":\"anna\",\"mode\":\"username\"}"}"#
    }

    private static func response(_ operation: String) -> String {
        let header = header.replacing("OP", with: operation)
        return #"{"uafResponse":"[{\#(header),\"fcParams\":\"e30\",\"assertions\":[{\"assertionScheme\":\"UAFV1TLV\","#
            + #"\"assertion\":\"Aj4EAAQ-AAA\"}]}]"}"#
    }

    private static var target: String {
        let signing = key.replacing("USE", with: "sig") + #","alg":"ES256"}"#
        let sealing = key.replacing("USE", with: "enc") + "}"
        return #"{"username":"anna","name":"Anna's phone","deviceId":"d","dispatcher":"firebase-cloud-messaging","#
            + #""target":"abc","signatureKey":\#(signing),"encryptionKey":\#(sealing)}"#
    }
}
