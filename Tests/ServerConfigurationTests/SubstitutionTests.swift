import ServerConfiguration
import ServerCore
import Testing

@Suite("Configuration file: references and overrides")
struct SubstitutionTests {
    @Test("Variables and files are put in")
    func replaced() throws {
        let deployment = try read(
            "data-directory: ${env:BASE}/x\nserver: {host: \"${file:host.txt}\", port: \"${env:PORT}\"}",
            environment: ["BASE": "/srv", "PORT": "9443"], files: ["/etc/signet/host.txt": ("127.0.0.2\n", 0o644)])
        #expect(deployment.dataDirectory == "/srv/x")
        #expect(deployment.http.service.authority == "127.0.0.2:9443")
    }

    @Test("$${ stands for itself, and so does a single dollar")
    func escaped() throws {
        #expect(try read("data-directory: \"/a$${env:X}/b$c\"").dataDirectory == "/a${env:X}/b$c")
    }

    @Test(
        "A reference that cannot be replaced is refused",
        arguments: [
            ("${env:NONE}", "the environment variable NONE is not set"),
            ("${file:none.txt}", "cannot read /etc/signet/none.txt"),
            ("${exec:id}", "only ${env:NAME} and ${file:PATH} are replaced; write $${ for a plain ${"),
            ("${env:X", "only ${env:NAME} and ${file:PATH} are replaced; write $${ for a plain ${"),
        ])
    func refused(value: String, problem: String) {
        #expect(problems("data-directory: \"\(value)\"") == ["signet.yml:1:1: data-directory: \(problem)"])
    }

    @Test("The environment overrides the file")
    func override() throws {
        let deployment = try read(
            "server: {port: 1}", environment: ["SIGNET_SERVER_SERVER_PORT": "9443", "SIGNET_SERVER_LOG_LEVEL": "debug"])
        #expect(deployment.http.service.port == 9443)
        #expect(deployment.logLevel == .debug)
    }

    @Test("An override of nothing is refused with a suggestion")
    func unknownOverride() {
        let found = problems("", environment: ["SIGNET_SERVER_SERVER_PRT": "1"])
        #expect(
            found == [
                "environment variable SIGNET_SERVER_SERVER_PRT: unknown setting, "
                    + "did you mean \"SIGNET_SERVER_SERVER_PORT\"?"
            ])
    }

    @Test("An override is checked like the file, and its value is not shown")
    func checkedOverride() {
        let found = problems("", environment: ["SIGNET_SERVER_SERVER_PORT": "sesame"])
        #expect(
            found == ["environment variable SIGNET_SERVER_SERVER_PORT: server.port: expected a whole number"])
    }
}
