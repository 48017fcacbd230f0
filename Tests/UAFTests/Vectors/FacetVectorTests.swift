import StrictJSON
import TestSupport
import Testing
import UAF

@Suite(
    "AppID and Facet Specification 1.1, 3.1: facet vectors", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct FacetVectorTests {
    @Test("Every caller is let in or kept out as stated, with as many fetches as stated")
    func cases() throws {
        for entry in try VectorFile.cases("client-facets.json") {
            entry.requireOnly("id", "appID", "callerFacetID", "messageVersion", "http", "expect", "why")
            let expect = try entry.object("expect")
            expect.requireOnly("allow", "error", "effectiveAppID", "fetch", "publicSuffixes")
            try check(entry, expect, id: entry.string("id"))
        }
    }

    private func check(_ entry: JSONObject, _ expect: JSONObject, id: String) throws {
        let (step, urls) = try run(entry, suffixes: suffixes(expect))
        let allow = try expect.required("allow") { value throws(JSONTypeError) in try value.asBool() }
        switch step {
        case .success(.allowed(let appID)):
            #expect(allow, "\(id)")
            if expect["effectiveAppID"] != nil { #expect(try appID.text == expect.string("effectiveAppID"), "\(id)") }
        case .success(.refused):
            #expect(!allow && expect["error"]?.errorCode == .untrustedFacetID, "\(id)")
        case .failure(let error):
            #expect(!allow && expect["error"]?.errorCode == error.clientErrorCode, "\(id)")
        case .success(.fetch): Issue.record("\(id): a response is missing")
        }
        if expect["fetch"] == .bool(false) { #expect(urls.isEmpty, "\(id)") }
    }

    /// Goes through the evaluation, answering each fetch with the response that the vector gives for its URL.
    private func run(
        _ entry: JSONObject, suffixes: PublicSuffixRules
    ) throws -> (Result<FacetEvaluation.Step, MessageError>, [String]) {
        let header = JSONObject([
            "upv": entry["messageVersion"], "op": .string("Reg"), "appID": entry["appID"],
        ])
        let appID: AppID?
        do throws(JSONTypeError) {
            appID = try OperationHeader(json: .object(header), rules: .strict).appID
        } catch {
            return (.failure(MessageError(error)), [])
        }
        var responses = try entry.values("http").map { try $0.asObject() }
        var evaluation = FacetEvaluation(
            appID: appID, facetID: try entry.required("callerFacetID", rules: .strict),
            version: try entry.required("messageVersion", rules: .strict), suffixes: suffixes)
        var urls: [String] = []
        var step = evaluation.start()
        while case .fetch(let url) = step {
            urls.append(url)
            let next = responses.isEmpty ? nil : responses.removeFirst()
            #expect(try next?.string("url") == url)
            step = evaluation.resume(try next.map(response))
        }
        return (.success(step), urls)
    }

    private func response(_ members: JSONObject) throws -> FacetResponse {
        members.requireOnly("url", "status", "headers", "body")
        let fields = try members.object("headers").members.map { member in
            FacetResponse.Field(name: member.name, value: try member.value.asString())
        }
        return FacetResponse(
            status: try members.integer("status"), fields: fields,
            body: members["body"].map { JSONWriter.write($0) } ?? [])
    }

    private func suffixes(_ expect: JSONObject) throws -> PublicSuffixRules {
        guard expect["publicSuffixes"] != nil else { return .none }
        return PublicSuffixRules(rules: try expect.values("publicSuffixes").map { try $0.asString() })
    }
}
