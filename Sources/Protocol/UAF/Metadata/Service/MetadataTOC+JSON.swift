package import StrictJSON

private func text(_ json: JSONValue) throws(JSONTypeError) -> String {
    try json.asString()
}

extension StatusReport {
    package init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            status: AuthenticatorStatus(try members.required("status", text)),
            effectiveDate: try members.optional("effectiveDate", text),
            certificate: try members.optional("certificate", text), url: try members.optional("url", text))
    }
}

extension RogueListEntry {
    package init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(sk: try members.required("sk", text), date: try members.required("date", text))
    }
}

extension MetadataTOC {
    package init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        number = try members.requiredInteger("no")
        nextUpdate = try members.required("nextUpdate", text)
        let all = try members.required("entries") { value throws(JSONTypeError) in
            try value.asArray { entry throws(JSONTypeError) in try Entry(json: entry) }
        }
        entries = all.compactMap { $0 }
    }

    /// Reads the payload of a checked table of contents; throws ``MessageError`` with the path to what is wrong.
    public init(payload: [UInt8]) throws(MessageError) {
        let json: JSONValue
        do throws(StrictJSONError) {
            json = try JSONParser.parse(payload, limits: .document)
        } catch {
            throw MessageError(error)
        }
        do throws(JSONTypeError) {
            try self.init(json: json)
        } catch {
            throw MessageError(error)
        }
    }
}

extension MetadataTOC.Entry {
    /// Nil for an entry without AAID, which belongs to another protocol family.
    fileprivate init?(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        guard let aaid: AAID = try members.optional("aaid", rules: .strict) else { return nil }
        self.aaid = aaid
        hash = try members.optional("hash", text)
        url = try members.optional("url", text)
        statusReports = try members.required("statusReports") { value throws(JSONTypeError) in
            try value.asArray { report throws(JSONTypeError) in try StatusReport(json: report) }
        }
        timeOfLastStatusChange = try members.required("timeOfLastStatusChange", text)
        let location = try members.optional("rogueListURL", text)
        let digest = try members.optional("rogueListHash", text)
        rogueList = location.flatMap { url in digest.map { MetadataTOC.RogueListReference(url: url, hash: $0) } }
    }

    /// The status that counts: the latest one that is known.
    public var latestStatus: AuthenticatorStatus? { statusReports.last { $0.status.isKnown }?.status }
}
