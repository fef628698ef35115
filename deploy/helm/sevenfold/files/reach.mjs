const told = async (path) => {
  const answer = await fetch(process.env.GATEWAY + path, { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
};
(async () => {
  await told('/readyz');
  const { namespaces } = await (await told('/rest/')).json();
  for (const namespace of namespaces) await told(`/rest/${namespace}`);
  console.log(`the gateway is ready and serves ${namespaces.join(', ')}`);
})().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
