import PushSinkCommands

await PushSinkCommand.runProcess()
