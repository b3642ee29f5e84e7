from par import *
def go(name,fn,**k):
    f=fresh(); fn(f); rc,rec,err,lat=ours(['--weights',f],steps=1); print(name,rc,notes(err)[-200:] if rc else 'ok',flush=True)
go('big int max_length',lambda f: change(f/'tokenizer/tokenizer_config.json',model_max_length=1000000000000000019884624838656))
go('inf in tokenizer',lambda f: change(f/'tokenizer/tokenizer_config.json',x=float('inf')))
go('nan in model_index',lambda f: change(f/'model_index.json',_x=float('nan')))
go('-inf unet unused',lambda f: change(f/'unet/config.json',_foo=float('-inf')))
go('vae latents_mean null, force_upcast, -inf',lambda f: change(f/'vae/config.json',latents_mean=None,force_upcast=True,_z=float('-inf')))
go('text enc',lambda f: change(f/'text_encoder/config.json',initializer_range=float('nan')))
go('special tokens map',lambda f: change(f/'tokenizer/special_tokens_map.json',foo=float('nan')))
go('unet bom',lambda f: (f/'unet/config.json').write_bytes(b'\xef\xbb\xbf'+(f/'unet/config.json').read_bytes()))
go('model_index utf16',lambda f: (f/'model_index.json').write_bytes((f/'model_index.json').read_text().encode('utf-16')))
go('merges crlf bom',lambda f: (f/'tokenizer/merges.txt').write_bytes(b'\xef\xbb\xbf'+(f/'tokenizer/merges.txt').read_bytes().replace(b'\n',b'\r\n')))
