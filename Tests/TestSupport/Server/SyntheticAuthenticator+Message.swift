import Octets
package import StrictJSON
package import UAF

/// FIDO client of synthetic authenticators, which responds to requests with complete messages.
package struct SyntheticClient: Sendable {
    /// Facet ID that the client claims.
    package var facet: FacetID
    /// Channel binding data of the connection.
    package var channelBinding = ChannelBinding()
    /// Server and exchange that the client states; nil for a client that knows nothing of that.
    package var serverBinding: ServerBinding?

    /// Client of an application.
    package init(facet: FacetID) {
        self.facet = facet
    }

    /// Fault of an otherwise valid message.
    package struct MessageFault {
        /// Change of the members of `fcParams` before they are hashed.
        package var parameters: ((inout JSONObject) -> Void)?
        /// Change of the message after everything else.
        package var message: ((inout JSONObject) -> Void)?

        /// Fault with the given changes.
        package init(
            parameters: ((inout JSONObject) -> Void)? = nil, message: ((inout JSONObject) -> Void)? = nil
        ) {
            self.parameters = parameters
            self.message = message
        }
    }

    /// Registers each authenticator.
    package func answer(
        _ request: RegistrationRequest, with authenticators: [SyntheticAuthenticator],
        spoiling fault: SyntheticFault = .none, in message: MessageFault = MessageFault()
    ) throws -> [UInt8] {
        let fcParams = parameters(request.header, request.challenge, message)
        let assertions = try authenticators.map { try $0.registration(for: fcParams, spoiling: fault) }
        return self.message(request.header.json, fcParams, assertions, message)
    }

    /// Signs with each authenticator; a request with a transaction confirms its first rendering.
    package func answer(
        _ request: AuthenticationRequest, with authenticators: [SyntheticAuthenticator],
        spoiling fault: SyntheticFault = .none, in message: MessageFault = MessageFault()
    ) throws -> [UInt8] {
        let fcParams = parameters(request.header, request.challenge, message)
        let assertions = try authenticators.map {
            try $0.authentication(
                for: fcParams, confirming: request.transactions.first?.content, spoiling: fault)
        }
        return self.message(request.header.json, fcParams, assertions, message)
    }

    private func parameters(
        _ header: OperationHeader, _ challenge: ServerChallenge, _ fault: MessageFault
    ) -> String {
        var members = JSONObject([
            "appID": .string(header.appID?.text ?? facet.text), "challenge": .string(challenge.base64URL),
            "channelBinding": channelBinding.json, "facetID": .string(facet.text),
            "serverBinding": serverBinding?.json,
        ])
        fault.parameters?(&members)
        return Base64URL.encode(JSONWriter.write(.object(members)))
    }

    private func message(
        _ header: JSONValue, _ fcParams: String, _ assertions: [[UInt8]], _ fault: MessageFault
    ) -> [UInt8] {
        let entries = assertions.map { octets in
            JSONValue.object(
                JSONObject([
                    "assertionScheme": .string("UAFV1TLV"), "assertion": .string(Base64URL.encode(octets)),
                ]))
        }
        var message = JSONObject([
            "header": header, "fcParams": .string(fcParams), "assertions": .array(entries),
        ])
        fault.message?(&message)
        return JSONWriter.write(.array([.object(message)]))
    }
}

extension JSONObject {
    /// The same members in the same order with `name` set to this value; nil removes it, an unknown name is added.
    package func replacing(_ name: String, with value: JSONValue?) -> JSONObject {
        var replaced = JSONObject(distinct: [])
        for member in members where member.name != name || value != nil {
            replaced.append(member.name, member.name == name ? value : member.value)
        }
        if self[name] == nil { replaced.append(name, value) }
        return replaced
    }
}
