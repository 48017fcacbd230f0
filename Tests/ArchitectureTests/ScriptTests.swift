import Testing

@Suite("Scripts of pages ask a form for nothing that its inputs can hide")
struct ScriptTests {
    private static let formIDs = Set(
        Repository.allPaths.filter { $0.hasSuffix(".mustache") || $0.hasSuffix(".html") }
            .compactMap(Repository.text).flatMap(ScriptRule.formIDs))
    private static let scripts = Repository.allPaths.filter {
        $0.hasSuffix(".js") && ($0.hasPrefix("Sources/") || $0.hasPrefix("packaging/"))
    }

    @Test("Every script of the sources and of the example shop keeps the rule")
    func scripts() throws {
        #expect(Self.scripts.contains { $0.hasSuffix("/sign-in.js") } && Self.formIDs.contains("rotate"))
        for path in Self.scripts {
            let script = try #require(Repository.text(of: path))
            #expect(ScriptRule.violations(in: script, at: path, formIDs: Self.formIDs) == [])
        }
    }

    @Test(
        "A property of a form is refused, however the script names the form",
        arguments: [
            "await fetch(form.action);", "loginForm.submit();", "const f = form?.elements;",
            "const target = document.getElementById(\"rotate\");\ntarget.method = \"get\";",
            "document.getElementById(\"rotate\").id;",
        ])
    func refused(script: String) {
        #expect(ScriptRule.violations(in: script, at: "a.js", formIDs: ["rotate"]).count == 1)
    }

    @Test(
        "Attributes, inputs by their names and other objects are not",
        arguments: [
            "fetch(form.getAttribute(\"action\"));", "form.querySelector(\"[name=action]\").value = \"finish\";",
            "HTMLFormElement.prototype.submit.call(form);", "new FormData(form)", "state.action",
            "document.getElementById(\"code\").src",
        ])
    func allowed(script: String) {
        #expect(ScriptRule.violations(in: script, at: "a.js", formIDs: ["rotate"]) == [])
    }
}
